// Loaded before a measured program: tells its parent what it took, when it ends.
process.channel?.unref();
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.send?.({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS });
});
