// A schema as the text of a type.

/**
 * @param {(reference: string) => string} refer the type of a reference
 * @param {Record<string, string>} own types of members that say more than their schema, by `definition.member`
 */
export function schemaTypes(refer, own = {}) {
  function typeText(schema, name) {
    const { $ref, enum: words, const: only, anyOf, oneOf, type, items, properties } = schema;
    if ($ref) return refer($ref);
    if (words) return words.map((word) => JSON.stringify(word)).join(' | ');
    if (only !== undefined) return JSON.stringify(only);
    // A reader takes the words of other versions, too; nothing of this one has them.
    if (anyOf) return typeText(anyOf[0], name);
    if (oneOf) return oneOf.map((each) => typeText(each, name)).join(' | ');
    if (type === 'array' && !items) return 'readonly unknown[]';
    if (items) return `readonly (${typeText(items, name)})[]`;
    if (properties) return `{\n${membersText(schema, name)}}`;
    if (type === 'object') return recordText(schema);
    return [type ?? 'unknown'].flat().map(simple).join(' | ');
  }

  function membersText({ properties, required = [] }, name) {
    return Object.entries(properties)
      .map(([key, each]) => {
        const mark = required.includes(key) ? '' : '?';
        const text = own[`${name}.${key}`] ?? typeText(each, key);
        return `${about(each)}readonly ${key}${mark}: ${text};\n`;
      })
      .join('');
  }

  function recordText({ additionalProperties }) {
    const of =
      typeof additionalProperties === 'object' ? typeText(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${of}>>`;
  }

  /** The declaration of a type, where its schema is that of the definition `name`. */
  return (type, schema, name) =>
    `${about(schema)}export type ${type} = ${typeText(schema, name)};\n`;
}

const SIMPLE = { integer: 'number', array: 'readonly unknown[]' };
const simple = (type) => SIMPLE[type] ?? type;

/** The comment of a schema. */
export function about({ description }) {
  return description ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : '';
}

/** The name of the definition that a reference is to. */
export function definitionIn(reference) {
  return /\$defs\/(\w+)$/.exec(reference)?.[1] ?? reference.replace('.schema.json', '');
}
