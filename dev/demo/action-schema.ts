import { z } from 'zod'

export const optionSchema = z.object({
  text: z.looseObject({ type: z.string(), text: z.string() }),
  value: z.string().optional(),
})
const oneSchema = z.union([z.string(), optionSchema])
export const choiceSchema = z.union([oneSchema, z.array(oneSchema).readonly(), z.null()])
export const serviceModeSchema = z.enum(['normal', 'slow', 'down'])
export const clockMoveSchema = z.enum(['hour', 'weekday-morning'])
/** Values by block_id. */
const values = z.record(z.string(), choiceSchema).readonly()
const element = {
  user: z.string(),
  at: z.union([z.object({ message: z.string() }), z.object({ view: z.string() })]),
  blockId: z.string(),
  actionId: z.string(),
}

/** An action of a person on the page. */
export const actionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('write'),
    user: z.string(),
    channel: z.string(),
    text: z.string().min(1).max(4000),
  }),
  z.object({
    kind: z.literal('act'),
    ...element,
    choose: choiceSchema.optional(),
    values: values.optional(),
  }),
  z.object({ kind: z.literal('suggest'), ...element, value: z.string() }),
  z.object({ kind: z.literal('shortcut'), user: z.string(), message: z.string(), callbackId: z.string() }),
  z.object({ kind: z.literal('submit'), user: z.string(), view: z.string(), values }),
  z.object({ kind: z.literal('close'), user: z.string(), view: z.string() }),
  z.object({
    kind: z.literal('tool'),
    user: z.string(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('home'), user: z.string() }),
  z.object({ kind: z.literal('service'), user: z.string(), mode: serviceModeSchema }),
  z.object({ kind: z.literal('missed'), user: z.string(), count: z.int().min(1).max(1000) }),
  z.object({ kind: z.literal('clock'), user: z.string(), channel: z.string(), to: clockMoveSchema }),
])
