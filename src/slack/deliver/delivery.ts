import type { Log } from '../../log.ts'
import { type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import { fallbackText, type Unsent } from '../api/post-message.ts'
import { LIMITS, type Message } from '../blocks/blocks.ts'
import { withTeam } from '../blocks/values.ts'
import type { MessageForms } from './answer.ts'

/** Types of blocks that not every workspace's Slack takes. */
const optionalTypes = ['data_visualization', 'table'] as const
type OptionalType = (typeof optionalTypes)[number]

/** What a workspace's Slack takes is believed for so long. */
const believedForMs = hourMs

/** Codes with which Slack refuses a message for its blocks, or for their size. It was shown to nobody then. */
const isAboutBlocks = (code: string): boolean =>
  /(^|_)(blocks?|attachments?|table)(_|$)|^msg_too_long$/.test(code)

/** Of those, the ones that say nothing of what types of blocks this Slack takes. */
const isAboutSize = (code: string): boolean => /too_(long|many)/.test(code)

/** A `response_url` takes five uses; the notice before an answer may be one, and its text alone is the last. */
const mostForms = 3

interface SentForm {
  readonly message: Message
  /** The message with what is to become of it. It is what is sent: writing it twice would cost 40 µs. */
  readonly json: string
  readonly types: readonly OptionalType[]
}

const typesOf = ({ blocks = [] }: Message): readonly OptionalType[] =>
  optionalTypes.filter((type) => blocks.some((block) => block.type === type))

const fits = (json: string) => Buffer.byteLength(json) <= LIMITS.messageBytes

/**
 * Sends messages in the best of their forms that the workspace's Slack takes, for its size and for its types of blocks. What
 * it takes is learned from what it answers, and kept in memory alone.
 */
export class Delivery {
  readonly #log: Pick<Log, 'error'>
  /** By tenant and type. */
  readonly #answered: BoundedMap<'accepted' | 'refused'>

  constructor({ log, now }: { log: Pick<Log, 'error'>; now: () => EpochMs }) {
    this.#log = log
    this.#answered = new BoundedMap({ max: 20_000, ttlMs: believedForMs, now })
  }

  /**
   * As JSON for a command's acknowledgement, where a refusal goes unseen; `undefined` where Slack may refuse it.
   * @param envelope what is to become of it, such as `response_type`
   */
  certainJson(forms: MessageForms, team: Tenant, envelope: object): string | undefined {
    const tenant = tenantKey(team)
    for (const { json, types } of this.#formsFor(forms, team, envelope))
      return types.every((type) => this.#of(tenant, type) === 'accepted') ? json : undefined
    return undefined
  }

  /**
   * Sends the best form; where Slack refuses its blocks the next one of other types, and where it refuses their size the
   * next one; at last its text alone.
   * @param send sends one form
   * @returns what became of the one that was not refused for its blocks, or of the last
   */
  async send<Result extends { readonly kind: 'sent' } | Unsent>(
    forms: MessageForms,
    team: Tenant,
    send: (form: SentForm) => Promise<Result>,
    envelope: object = {},
  ): Promise<Result> {
    const tenant = tenantKey(team)
    let refused: { readonly types: readonly OptionalType[]; readonly code: string } | undefined
    let tries = 0
    for (const form of this.#formsFor(forms, team, envelope)) {
      const { types } = form
      // The same types of blocks in another size would be refused as well, unless it was their size.
      if (refused && !isAboutSize(refused.code) && String(types) === String(refused.types)) continue
      if (tries === mostForms) break
      tries += 1
      const result = await send(form)
      if (result.kind !== 'refused' || !isAboutBlocks(result.code)) {
        if (result.kind === 'sent') this.#learn(tenant, types, refused)
        return result
      }
      refused = { types, code: result.code }
    }
    // Ours to mend; meanwhile there is the same in words.
    this.#log.error({ code: refused?.code }, 'Slack refused the blocks of an answer')
    return send(formOf({ text: forms.message.text }, envelope))
  }

  /** Those that it may be sent in, one after the other; where none is small enough, its text alone. */
  *#formsFor(
    { message, otherwise = [] }: MessageForms,
    team: Tenant,
    envelope: object,
  ): Generator<SentForm, void> {
    const tenant = tenantKey(team)
    let isAnySmall = false
    for (const make of [() => message, ...otherwise]) {
      const made = make()
      if (typesOf(made).some((type) => this.#of(tenant, type) === 'refused')) continue
      const form = formOf(withTeam(made, team), envelope)
      if (!fits(form.json)) continue
      isAnySmall = true
      yield form
    }
    if (!isAnySmall) yield formOf({ text: message.text }, envelope)
  }

  #of(tenant: TenantKey, type: OptionalType) {
    return this.#answered.get(`${tenant}/${type}`)
  }

  #learn(
    tenant: TenantKey,
    accepted: readonly OptionalType[],
    refused: { readonly types: readonly OptionalType[]; readonly code: string } | undefined,
  ): void {
    for (const type of accepted) this.#answered.set(`${tenant}/${type}`, 'accepted')
    if (!refused || isAboutSize(refused.code)) return
    for (const type of refused.types)
      if (!accepted.includes(type)) this.#answered.set(`${tenant}/${type}`, 'refused')
  }
}

function formOf(message: Message, envelope: object): SentForm {
  const sent = { ...message, ...fallbackText(message.text), ...envelope }
  return { message, json: JSON.stringify(sent), types: typesOf(message) }
}
