import { z } from 'zod'
import type { Core, Refusal } from './core.ts'
import type { Channel, Team } from './directory.ts'
import type { Json } from './shapes.ts'

/** An answer with `ok: false`. */
export class Failure extends Error {
  readonly fields: Json

  constructor(error: string, fields: Json = {}) {
    super(error)
    this.fields = fields
  }
}

export interface Context {
  readonly core: Core
  readonly team: Team
}

export interface Method {
  /** The scope it needs; none where the method needs none. */
  readonly scope?: string
  /** @throws Failure */
  run(args: Json, context: Context): Json
}

export type Methods = Readonly<Record<string, Method>>

export const id = z.string().min(1)

/** @throws Failure with `error` where the arguments are not of that shape. */
export function read<T extends z.ZodType>(schema: T, args: Json, error: string): z.infer<T> {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const messages = parsed.error.issues.map(
    ({ path, message }) => `[ERROR] ${message} [json-pointer:/${path.join('/')}]`,
  )
  throw new Failure(error, { response_metadata: { messages } })
}

export function refuse(refusal: Refusal | undefined): void {
  if (refusal === undefined) return
  const { error, messages } = refusal
  throw new Failure(error, {
    errors: messages.map((line) => line.replace('[ERROR] ', '')),
    response_metadata: { messages },
  })
}

/** A private channel that the bot is not in is none that it knows. */
export function channelOf(args: Json, { core, team }: Context): Channel {
  const { channel } = read(z.looseObject({ channel: id }), args, 'channel_not_found')
  const found = core.directory.channel(team, channel)
  if (found === undefined || (found.isPrivate && !found.isMember)) throw new Failure('channel_not_found')
  return found
}
