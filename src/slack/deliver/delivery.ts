import type { Log } from '../../log.ts'
import { tenantKey, type Workspace } from '../../store/tenant.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import { toTextFields } from '../api/messages.ts'
import type { RequestFailure } from '../api/slack-failure.ts'
import { withTeam } from '../blocks/block-team.ts'
import { LIMITS, type Message } from '../blocks/blocks.ts'
import type { MessageVariants } from './answers.ts'

/** Block types that some workspaces don't accept. */
const OPTIONAL_TYPES = ['data_visualization', 'data_table', 'table'] as const

/** A `response_url` can be used five times: for an announcement, these variants and the text alone. */
const MAX_VARIANTS = 3

/** True for codes that reject the blocks or the size of a message: it wasn't posted then. */
const isAboutBlocks = (code: string): boolean =>
  /(^|_)(blocks?|attachments?|table)(_|$)|^msg_too_long$/.test(code)

const isAboutSize = (code: string): boolean => /too_(long|many)/.test(code)

const toTypesKey = (workspace: Workspace, types: string): string => `${tenantKey(workspace)}/${types}`

interface Variant {
  readonly message: Message
  /** The message and its envelope as JSON, serialized and encoded once: that takes 50 µs. */
  readonly json: Buffer
  /** Optional block types in the message, such as `data_visualization,data_table`. */
  readonly types: string
}

function toVariant(message: Message, envelope: object): Variant {
  const { text, blocks = [] } = message
  const types = OPTIONAL_TYPES.filter((type) => blocks.some((block) => block.type === type))
  const json = Buffer.from(JSON.stringify({ ...message, ...toTextFields(text), ...envelope }))
  return { message, json, types: types.join() }
}

/** Yields the variants that are small enough, best first. */
function* fitVariants(
  { message, fallbacks = [] }: MessageVariants,
  workspace: Workspace,
  envelope: object,
): Generator<Variant, void> {
  for (const make of [() => message, ...fallbacks]) {
    const variant = toVariant(withTeam(make(), workspace), envelope)
    if (variant.json.length <= LIMITS.messageBytes) yield variant
  }
}

/** Remembers accepted block types, but no rejections: one bad block would disable tables for a workspace. */
export class Delivery {
  readonly #log: Pick<Log, 'error'>
  /** Block types accepted together within the last hour, by tenant. */
  readonly #accepted: Cache<true>

  constructor({ log, now }: { log: Pick<Log, 'error'>; now: () => EpochMs }) {
    this.#log = log
    this.#accepted = createCache({ max: 20_000, ttlMs: hourMs, now })
  }

  /** Returns undefined if Slack may reject the best variant: a rejected acknowledgement goes unnoticed. */
  serializeIfAccepted(variants: MessageVariants, workspace: Workspace, envelope: object): Buffer | undefined {
    const { value: variant } = fitVariants(variants, workspace, envelope).next()
    if (!variant) return undefined
    const isAccepted = variant.types === '' || this.#accepted.get(toTypesKey(workspace, variant.types))
    return isAccepted ? variant.json : undefined
  }

  /** Sends the best variant that Slack accepts, or else the text alone. */
  async send<Result extends { readonly kind: 'sent' } | RequestFailure>(
    variants: MessageVariants,
    workspace: Workspace,
    post: (variant: Variant) => Promise<Result>,
    envelope: object = {},
  ): Promise<Result> {
    let postCount = 0
    let rejected: { readonly types: string; readonly code: string } | undefined
    for (const variant of fitVariants(variants, workspace, envelope)) {
      if (postCount === MAX_VARIANTS) break
      const { types } = variant
      // Unless its size was rejected, another variant with the same types would be rejected, too.
      const isHopeless = rejected?.types === types && !isAboutSize(rejected.code)
      if (isHopeless) continue
      postCount += 1
      const result = await post(variant)
      if (result.kind === 'sent') this.#accepted.set(toTypesKey(workspace, types), true)
      if (result.kind !== 'refused' || !isAboutBlocks(result.code)) return result
      rejected = { types, code: result.code }
    }
    if (rejected) this.#log.error({ code: rejected.code }, 'Slack rejected the blocks of a message')
    return post(toVariant({ text: variants.message.text }, envelope))
  }
}
