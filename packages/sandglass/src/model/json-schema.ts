import { callFields } from './call-fields.js'
import { fieldsSchema, type JsonSchema } from './field.js'
import { valueDefs } from './schema-defs.js'
import { defaultsFields, operationFields, serviceFields } from './service-fields.js'
import { checkFields, journeyFields, scenarioField } from './top-fields.js'

/** Names have no spaces; a service's name has no dot either, because calls are written service.operation. */
const names = (pattern: string): JsonSchema => ({ pattern, maxLength: 200 })

function byName(description: string, value: JsonSchema, pattern = '^\\S+$'): JsonSchema {
  return { description, type: 'object', propertyNames: names(pattern), additionalProperties: value }
}

const orNothing = (name: string): JsonSchema => ({ anyOf: [{ $ref: `#/$defs/${name}` }, { type: 'null' }] })

const operations: JsonSchema = byName('What it can be asked to do, by name.', orNothing('operation'))

function serviceSchema(): JsonSchema {
  const schema = fieldsSchema(serviceFields)
  return { ...schema, properties: { ...(schema['properties'] as object), operations } }
}

const include: JsonSchema = {
  description: 'Other files of this chain: names or patterns, relative to this file.',
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', items: { type: 'string', minLength: 1 } },
  ],
}

function sections(): Readonly<Record<string, JsonSchema>> {
  return {
    sandglass: { description: 'The version of this format.', enum: [1, '1'] },
    include,
    defaults: { description: 'What holds for every call that says nothing else.', ...fieldsSchema(defaultsFields) },
    journeys: byName('What users do, from the client inwards, by name.', fieldsSchema(journeyFields, ['starts'])),
    services: byName('What can be asked, by name.', orNothing('service'), '^[^\\s.]+$'),
    check: { description: 'What `check` reports, and how severe it is.', ...fieldsSchema(checkFields) },
    scenarios: byName('Load and faults for `simulate`, by name.', scenarioField.schema),
  }
}

/** The JSON Schema (2020-12) of a chain file, made of the same tables that read it. */
export function chainSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Sandglass chain file',
    description: 'A chain of services: who calls whom, with which limits. See docs/guide/chain-file.md.',
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    required: ['sandglass'],
    properties: sections(),
    $defs: {
      ...valueDefs,
      call: fieldsSchema(callFields, ['to']),
      operation: fieldsSchema(operationFields),
      service: serviceSchema(),
    },
  }
}
