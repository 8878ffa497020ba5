import { z } from 'zod'
import type { Log } from '../../log.ts'
import { scopedKey, type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { fallbackText, type ResponseUrls, SlackUnavailableError, type Unsent } from '../api/web-api.ts'
import { withTeam } from '../blocks/block-team.ts'
import { attribution, type Block, LIMITS, type Message, textMessage } from '../blocks/blocks.ts'
import { unconfirmedShareText, unsentText } from './failures.ts'

export interface MessageForms {
  readonly message: Message
  /** Smaller variants, best first, for workspaces that reject the message. */
  readonly otherwise?: readonly (() => Message)[]
}

export interface Answer extends MessageForms {
  /** Shown to everyone in the channel. */
  readonly isPublic?: boolean
  /** Runs after the answer was sent or failed. Must not reject. */
  readonly afterwards?: () => Promise<void>
}

/** Announces that the answer takes a while; only the first call counts. Takes escaped mrkdwn. Never throws. */
export type OnProgress = (mrkdwn: string) => void

export type MakeAnswer = (onProgress: OnProgress) => Promise<Answer | undefined>

/** Takes escaped mrkdwn. */
export const textAnswer = (mrkdwn: string): Answer => ({ message: textMessage(mrkdwn) })

/** @param more blocks below the attribution */
export function attributed(
  { message, otherwise = [] }: MessageForms,
  name: string,
  how: 'Posted' | 'Scheduled' = 'Posted',
  more: readonly Block[] = [],
): MessageForms {
  const extend = ({ text, blocks = [] }: Message): Message => ({
    text,
    blocks: [...blocks, attribution(name, how), ...more],
  })
  return { message: extend(message), otherwise: otherwise.map((make) => () => extend(make())) }
}

/** `notice` resolves to the first announcement, or to undefined if the work ends without one. */
export function begin<Result>(make: (onProgress: OnProgress) => Promise<Result>) {
  const { promise: notice, resolve } = Promise.withResolvers<Answer | undefined>()
  const making = make((mrkdwn) => resolve(textAnswer(mrkdwn)))
  const end = () => resolve(undefined)
  making.then(end, end)
  return { making, notice }
}

/** Stored in a modal's metadata to show its result on the message from which it was opened. */
export const clickPlace = z.object({
  responseUrl: z.string().optional(),
  message: z.string(),
  /** Slack's `action_ts`: seconds with six decimals. */
  actionTs: z.string(),
  viewId: z.string().optional(),
})

export type ClickPlace = Readonly<z.infer<typeof clickPlace>>

interface Click extends ClickPlace {
  readonly team: Tenant
  readonly tenant: TenantKey
  readonly channel: string
  readonly user: string
}

/** A minute less than Slack accepts answers, since the answer itself takes time. */
const ANSWERABLE_MS: Milliseconds = 29 * minuteMs

/** A double holds microseconds exactly. */
const toMicroseconds = (actionTs: string): number => Math.round(Number(actionTs) * 1e6) || 0

const toMessageKey = ({ tenant, channel, message, user }: Click) => scopedKey(tenant, channel, message, user)

/** Lets the latest click on a message win, within one process. */
export class Clicks {
  readonly #now: () => EpochMs
  readonly #latest: Cache<number>
  /** Settles once the last answer was sent, by message. */
  readonly #lines = new Map<string, Promise<void>>()

  constructor(now: () => EpochMs) {
    this.#now = now
    this.#latest = createCache({ max: 20_000, ttlMs: hourMs, now })
  }

  /** A `response_url` works for 30 minutes. */
  isAnswerable({ responseUrl, actionTs }: ClickPlace): boolean {
    return responseUrl !== undefined && this.#now() - toMicroseconds(actionTs) / 1000 < ANSWERABLE_MS
  }

  /** Returns false if a later click on the same message was marked before. */
  markNewest(click: Click): boolean {
    const [key, at] = [toMessageKey(click), toMicroseconds(click.actionTs)]
    if (at < (this.#latest.get(key) ?? 0)) return false
    this.#latest.set(key, at)
    return true
  }

  /** Delivers after the message's earlier answers, if the click is still its latest. Returns whether it was. */
  async inOrder(click: Click, deliver: () => Promise<void>): Promise<boolean> {
    const key = toMessageKey(click)
    const before = this.#lines.get(key)
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    this.#lines.set(key, left)
    try {
      await before
      const isNewest = this.markNewest(click)
      if (isNewest) await deliver()
      return isNewest
    } finally {
      leave()
      if (this.#lines.get(key) === left) this.#lines.delete(key)
    }
  }
}

/** Block types that some workspaces don't accept. */
const OPTIONAL_TYPES = ['data_visualization', 'table'] as const

/** A `response_url` can be used five times: for a notice, these variants and the text alone. */
const MAX_VARIANTS = 3

/** True for codes that reject the blocks or the size of a message: it wasn't posted then. */
const isAboutBlocks = (code: string): boolean =>
  /(^|_)(blocks?|attachments?|table)(_|$)|^msg_too_long$/.test(code)

const isAboutSize = (code: string): boolean => /too_(long|many)/.test(code)

const toTypesKey = (team: Tenant, types: string): string => `${tenantKey(team)}/${types}`

interface Variant {
  readonly message: Message
  /** The message and its envelope, serialized once: that takes 40 µs. */
  readonly json: string
  /** Optional block types in the message, such as `data_visualization,table`. */
  readonly types: string
}

function toVariant(message: Message, envelope: object): Variant {
  const { text, blocks = [] } = message
  const types = OPTIONAL_TYPES.filter((type) => blocks.some((block) => block.type === type))
  return {
    message,
    json: JSON.stringify({ ...message, ...fallbackText(text), ...envelope }),
    types: types.join(),
  }
}

/** Yields the variants that are small enough, best first, or else the text alone. */
function* fitVariants(
  { message, otherwise = [] }: MessageForms,
  team: Tenant,
  envelope: object,
): Generator<Variant, void> {
  let hasFitting = false
  for (const make of [() => message, ...otherwise]) {
    const variant = toVariant(withTeam(make(), team), envelope)
    if (Buffer.byteLength(variant.json) > LIMITS.messageBytes) continue
    hasFitting = true
    yield variant
  }
  if (!hasFitting) yield toVariant({ text: message.text }, envelope)
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

  /** Returns undefined if Slack may reject the message: a rejected acknowledgement goes unnoticed. */
  certainJson(forms: MessageForms, team: Tenant, envelope: object): string | undefined {
    const { value } = fitVariants(forms, team, envelope).next()
    const isCertain = value && (value.types === '' || this.#accepted.get(toTypesKey(team, value.types)))
    return isCertain ? value.json : undefined
  }

  /** Sends the best variant that Slack accepts, at last the text alone. */
  async send<Result extends { readonly kind: 'sent' } | Unsent>(
    forms: MessageForms,
    team: Tenant,
    send: (variant: Variant) => Promise<Result>,
    envelope: object = {},
  ): Promise<Result> {
    let count = 0
    let rejected: { readonly types: string; readonly code: string } | undefined
    for (const variant of fitVariants(forms, team, envelope)) {
      const { types } = variant
      // Unless its size was rejected, another variant with the same types would be rejected, too.
      if (rejected?.types === types && !isAboutSize(rejected.code)) continue
      count += 1
      if (count > MAX_VARIANTS) break
      const result = await send(variant)
      if (result.kind === 'sent') this.#accepted.set(toTypesKey(team, types), true)
      if (result.kind !== 'refused' || !isAboutBlocks(result.code)) return result
      rejected = { types, code: result.code }
    }
    this.#log.error({ code: rejected?.code }, 'Slack rejected the blocks of a message')
    return send(toVariant({ text: forms.message.text }, envelope))
  }
}

/** Slack waits 3 s for an acknowledgement. */
const ACKNOWLEDGE_WITHIN_MS: Milliseconds = 2000

interface UrlTarget {
  readonly team: Tenant
  readonly responseUrl: string
  /** Whether the answer replaces the clicked message, unless everyone sees it. */
  readonly replacesOriginal: boolean
}

export class Replies {
  readonly clicks: Clicks
  readonly #services

  constructor(services: {
    clicks: Clicks
    delivery: Delivery
    responseUrls: ResponseUrls
    log: Pick<Log, 'warn'>
  }) {
    this.clicks = services.clicks
    this.#services = services
  }

  /**
   * Acknowledges with the answer if it is ready within 2 s and Slack certainly accepts it; otherwise, the answer
   * follows on the `response_url`. @throws {SlackUnavailableError}
   */
  async command(
    make: MakeAnswer,
    to: {
      readonly team: Tenant
      readonly responseUrl: string
      readonly ack: (json?: string) => Promise<void>
    },
  ): Promise<void> {
    const { team, responseUrl, ack } = to
    const begun = begin(make)
    const beginning = begun.notice.then((notice) => notice ?? begun.making)
    const first = await withTimeout(beginning, ACKNOWLEDGE_WITHIN_MS)
    const json =
      first && first !== timedOut
        ? this.#services.delivery.certainJson(first, team, { response_type: 'ephemeral' })
        : undefined
    await ack(json)
    await this.#deliver(begun, async (answer) => {
      if (json === undefined || answer !== first)
        await this.#post(answer, { team, responseUrl, replacesOriginal: false })
    })
  }

  /** Returns false if a later click superseded this one. */
  async click(click: Click, make: MakeAnswer, { replacesOriginal = true } = {}): Promise<boolean> {
    if (!this.clicks.markNewest(click)) return false
    const { team, responseUrl } = click
    let isNewest = true
    await this.#deliver(begin(make), async (answer) => {
      if (responseUrl === undefined) return this.#services.log.warn({}, 'an answer has no response_url')
      const target = { team, responseUrl, replacesOriginal }
      isNewest = await this.clicks.inOrder(click, () => this.#post(answer, target))
    })
    return isNewest
  }

  /** Answers a payload that names no workspace. @throws {SlackUnavailableError} */
  async refuse({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false }
    const json = JSON.stringify({ ...envelope, ...message })
    const result = await this.#services.responseUrls.post(responseUrl, json)
    if (result.kind !== 'sent') throw new SlackUnavailableError(`Slack: an answer was ${result.kind}`)
  }

  async #deliver(
    { notice, making }: ReturnType<typeof begin<Answer | undefined>>,
    deliver: (answer: Answer) => Promise<void>,
  ): Promise<void> {
    const first = await notice
    if (first)
      await deliver(first).catch((error: unknown) =>
        // The answer makes up for it.
        this.#services.log.warn({ err: error }, 'a progress notice was not shown'),
      )
    const answer = await making
    try {
      if (answer) await deliver(answer)
    } finally {
      await answer?.afterwards?.()
    }
  }

  async #post(answer: Answer, to: UrlTarget): Promise<void> {
    const { team, responseUrl, replacesOriginal } = to
    const { isPublic = false } = answer
    const envelope = {
      response_type: isPublic ? 'in_channel' : 'ephemeral',
      replace_original: replacesOriginal && !isPublic,
    }
    const result = await this.#services.delivery.send(
      answer,
      team,
      ({ json }) => this.#services.responseUrls.post(responseUrl, json, { isPublic }),
      envelope,
    )
    if (isPublic && result.kind !== 'sent') {
      const text = result.kind === 'unknown' ? unconfirmedShareText : unsentText(result)
      return this.#post(textAnswer(text), { ...to, replacesOriginal: false })
    }
    if (result.kind === 'refused')
      throw new SlackUnavailableError(`Slack: an answer was refused: ${result.code}`)
  }
}
