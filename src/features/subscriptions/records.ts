import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { conversationText, escapeText, isPersonId } from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { Muted } from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { addDays } from '../../time/days.ts'
import { localDay, startOfDay, type Zone } from '../../time/zones.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import type { Subscription, SubscriptionKind, SubscriptionSection } from './kind.ts'
import { type MuteEntry, mutedText, notFoundText, renderSubscriptions } from './view.ts'

/** Entries of the menu that need no modal. */
export const menuChanges = ['mute-hour', 'mute-day', 'mute', 'turn-on'] as const
export type ChangeName = (typeof menuChanges)[number] | 'delete'

/** Without an end, a mute lasts until someone turns the subscription on. @param by the person's id */
function startMute(name: MuteEntry, by: string, zone: Zone, now: EpochMs): Muted {
  if (name === 'mute') return { by, from: now }
  if (name === 'mute-hour') return { by, from: now, until: now + hourMs }
  const tomorrow = addDays(localDay(zone, new Date(now)), 1)
  return { by, from: now, until: startOfDay(zone, tomorrow).getTime() }
}

/** Lists, mutes, turns on and deletes the subscriptions of one kind. Every method @throws {StoreError}. */
export class SubscriptionRecords<T extends Subscription> {
  readonly #services
  readonly #kind

  constructor(services: Services, kind: SubscriptionKind<T, object>) {
    this.#services = services
    this.#kind = kind
  }

  async read(tenant: TenantKey): Promise<SubscriptionSection> {
    const kind = this.#kind
    const [rows, malformedCount] = await Promise.all([kind.list(tenant), kind.rows.countMalformed(tenant)])
    if (malformedCount === 0) return { info: kind.info, rows }
    const note = `⚠ Some ${kind.info.word}s can't be read, so they post nothing. Set up again what is missing: the log names the row.`
    return { info: kind.info, rows, note }
  }

  /** @param sentence about what was just done, in mrkdwn */
  async showList({ tenant }: Interaction, page = 1, sentence?: string): Promise<Answer> {
    const { info, rows, note } = await this.read(tenant)
    const notes = [sentence, note].filter((text) => text !== undefined)
    const nonce = randomUUID().slice(0, 8)
    return { message: renderSubscriptions(info, rows, { page, nonce, note: notes.join('\n') }) }
  }

  /** @param page undefined if a form was opened from the Home tab or by a command, where there is no list */
  async updateList(interaction: Interaction, page: number | undefined): Promise<Answer | undefined> {
    if (page === undefined || interaction.isInView) return undefined
    return this.showList(interaction, page)
  }

  /** Returns a sentence in mrkdwn. */
  async change(interaction: Interaction, id: string, name: ChangeName): Promise<string> {
    const record = await this.#kind.rows.get(interaction.tenant, id)
    const sentence = record && (await this.#changeRecord(interaction, record, name))
    // The Home tab may show a record that was already deleted.
    this.#services.homeTab.emit('outdated', interaction.actor)
    return sentence ?? notFoundText(this.#kind.info)
  }

  /** Whether the person may edit what is posted there: it's their direct messages, or a channel that they are in. */
  async isInChannel({ actor, channel: currentChannel }: Interaction, channel: string): Promise<boolean> {
    if (isPersonId(channel)) return channel === actor.person.id
    // Who clicks in a channel is in it, so Slack needn't be asked.
    return channel === currentChannel || this.#services.channels.hasMember(actor, channel)
  }

  /** Tells people outside of a channel why they can't change what is posted there. Returns mrkdwn. */
  outsiderText(channel: string): string {
    const hint = `An administrator can mute or delete this ${this.#kind.info.word} without that.`
    if (isPersonId(channel)) return `Only <@${channel}> can do that. ${hint}`
    return `You and Callboard must both be in <#${channel}> to do that. ${hint}`
  }

  /** Tells the kind about a stored record, and adds it to the audit log. @param verb what the person did: `changed` */
  async publishChange(actor: Actor, verb: string, record: T): Promise<void> {
    await this.#kind.afterChange?.(record)
    await this.#audit(actor, verb, record)
  }

  async #audit(actor: Actor, verb: string, record: T): Promise<void> {
    const detail = await this.#kind.describe(record)
    const what = `${verb} ${this.#kind.info.audit}`
    await this.#services.audit.record(actor, what, { channel: record.channel, detail })
  }

  /** Returns undefined if the record was deleted meanwhile. */
  async #changeRecord(interaction: Interaction, record: T, name: ChangeName): Promise<string | undefined> {
    const isAllowed = await this.#mayChange(interaction, record, name)
    if (!isAllowed) return this.outsiderText(record.channel)
    const { actor } = interaction
    const detail = await this.#kind.describe(record)
    const label = `${conversationText(record.channel)}: ${escapeText(detail)}`
    if (name === 'delete') return this.#delete(actor, record, label)
    const personId = actor.person.id
    if (name === 'turn-on') {
      const turnOn = (current: T) => this.#kind.turnOn(current, personId)
      const isTurnedOn = await this.#save(actor, 'turned on', record.id, turnOn)
      return isTurnedOn ? `Turned on: ${label}. You own it now.` : undefined
    }
    const { workspaces, now } = this.#services
    const { zone } = await workspaces.findZone(actor.tenant, record.channel)
    const muted = startMute(name, personId, zone, now())
    const isMuted = await this.#save(actor, 'muted', record.id, (current) => this.#kind.mute(current, muted))
    if (!isMuted) return undefined
    return `${mutedText(muted, zone, now())}: ${label}. ${this.#kind.info.mutedNote}`
  }

  /** People in its channel may change a subscription. Its owner and administrators may always mute and delete it. */
  async #mayChange(interaction: Interaction, { channel, owner }: T, name: ChangeName): Promise<boolean> {
    const { actor } = interaction
    if (name === 'turn-on') return this.isInChannel(interaction, channel)
    if (owner === actor.person.id) return true
    if (await this.isInChannel(interaction, channel)) return true
    return this.#services.guards.may(actor, 'admin')
  }

  /** Returns false if the record was deleted meanwhile. */
  async #save(actor: Actor, verb: string, id: string, change: (record: T) => T | Promise<T>) {
    const changed = await this.#kind.rows.change(actor.tenant, id, change)
    if (!changed) return false
    await this.publishChange(actor, verb, changed)
    await this.#kind.announce?.(actor, changed)
    return true
  }

  async #delete(actor: Actor, record: T, label: string): Promise<string | undefined> {
    const isDeleted = await this.#kind.rows.delete(actor.tenant, record.id)
    if (!isDeleted) return undefined
    await this.#audit(actor, 'deleted', record)
    return `Deleted: ${label}.`
  }
}
