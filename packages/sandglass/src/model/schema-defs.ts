import type { JsonSchema } from './field.js'

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` })

/** `250ms`, `1.5s`, `1m30s`: units from the largest to the smallest, each at most once. */
export const durationSchema: JsonSchema = ref('duration')
/** A duration, `none` (unlimited on purpose) or `unknown`; or such a value that a platform sets. */
export const limitSchema: JsonSchema = ref('limit')
/** `50%` or `0.5`. */
export const shareSchema: JsonSchema = ref('share')
/** `3000/s` or `20/m`. */
export const rateSchema: JsonSchema = ref('rate')
/** `service.operation`, or `unknown`. */
export const targetSchema: JsonSchema = ref('target')

const number = '[0-9]+(\\.[0-9]+)?'
const limitValue: JsonSchema = { anyOf: [durationSchema, { enum: ['none', 'unknown'] }] }

/** The values that many fields share, under the names the schemas above refer to. */
export const valueDefs: Readonly<Record<string, JsonSchema>> = {
  duration: {
    description: 'A duration with its unit: ms, s, m, h or d, such as 250ms, 1.5s or 1m30s.',
    type: 'string',
    pattern: `^(?=[0-9])(${number}d)?(${number}h)?(${number}m)?(${number}s)?(${number}ms)?$`,
    examples: ['250ms', '1.5s', '1m30s'],
  },
  limit: {
    description:
      'A duration; none (no limit, on purpose); unknown (could not be found out); or { value, fixed: true } where a platform sets it.',
    anyOf: [
      durationSchema,
      { enum: ['none', 'unknown'] },
      {
        type: 'object',
        additionalProperties: false,
        required: ['value'],
        properties: { value: limitValue, fixed: { type: 'boolean', description: 'A platform sets it: nobody here can change it.' } },
      },
    ],
  },
  share: {
    description: 'A share such as 50% or 0.5.',
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', pattern: '^(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]{1,12})?)\\s*%$' },
    ],
    examples: ['50%', 0.5],
  },
  rate: {
    description: 'A rate such as 3000/s or 20/m.',
    type: 'string',
    pattern: '^[0-9]{1,15}(\\.[0-9]{1,12})?\\s*/\\s*(s|sec|m|min|h)$',
    examples: ['3000/s', '20/m'],
  },
  target: {
    description: 'An operation, written service.operation; unknown where it could not be found out.',
    type: 'string',
    pattern: '^\\S{1,300}$',
    examples: ['order.create'],
  },
}
