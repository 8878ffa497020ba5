import { z } from 'zod'
import type { Core, Refusal } from '../core.ts'
import type { Channel, Team } from '../directory.ts'
import type { Json } from '../shapes.ts'

export class MethodError extends Error {
  readonly fields: Json

  constructor(error: string, fields: Json = {}) {
    super(error)
    this.fields = fields
  }
}

export interface MethodContext {
  readonly core: Core
  readonly team: Team
}

export type Methods = Readonly<
  Record<
    string,
    {
      /** The required scope, which may depend on the arguments; undefined if the method needs none. */
      readonly scope?: string | ((args: Json, context: MethodContext) => string | undefined)
      readonly run: (args: Json, context: MethodContext) => Json
    }
  >
>

export const id = z.string().min(1)

/** @throws MethodError with `error` if the arguments are invalid */
export function read<T extends z.ZodType>(schema: T, args: Json, error: string): z.infer<T> {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const messages = parsed.error.issues.map(
    ({ path, message }) => `[ERROR] ${message} [json-pointer:/${path.join('/')}]`,
  )
  throw new MethodError(error, { response_metadata: { messages } })
}

export function throwIfRefused(refusal: Refusal | undefined): void {
  if (refusal === undefined) return
  const { error, messages } = refusal
  throw new MethodError(error, {
    errors: messages.map((line) => line.replace('[ERROR] ', '')),
    response_metadata: { messages },
  })
}

/** Finds the channel of the arguments. Private channels without the bot don't exist for it. */
export function findChannel(args: Json, { core, team }: MethodContext): Channel {
  const { channel } = read(z.looseObject({ channel: id }), args, 'channel_not_found')
  const found = core.directory.channel(team, channel)
  if (found === undefined || (found.isPrivate && !found.isMember)) throw new MethodError('channel_not_found')
  return found
}
