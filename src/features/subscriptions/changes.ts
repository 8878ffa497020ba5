import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { conversationText, escapeText, isPersonId } from '../../slack/blocks/blocks.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { Muted } from '../../store/alerts.ts'
import { addDays } from '../../time/days.ts'
import { localDay, startOfDay, type Zone } from '../../time/zones.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import type { Subscription, SubscriptionKind } from './kind.ts'
import { type MuteEntry, mutedText, notFoundText } from './view.ts'

/** Entries of the menu that need no modal. */
export const menuChanges = ['mute-hour', 'mute-day', 'mute', 'turn-on'] as const
export type ChangeName = (typeof menuChanges)[number] | 'delete'

function startMute(name: MuteEntry, by: string, zone: Zone, now: EpochMs): Muted {
  if (name === 'mute') return { by, from: now }
  if (name === 'mute-hour') return { by, from: now, until: now + hourMs }
  const tomorrow = addDays(localDay(zone, new Date(now)), 1)
  return { by, from: now, until: startOfDay(zone, tomorrow).getTime() }
}

type ChangedKind<T extends Subscription> = Pick<
  SubscriptionKind<T, never>,
  'info' | 'rows' | 'describe' | 'mute' | 'turnOn' | 'changed' | 'deleted' | 'announce'
>

/** Mutes, turns on and deletes subscriptions of one kind. */
export class SubscriptionChanges<T extends Subscription> {
  readonly #services
  readonly #kind

  constructor(services: Services, kind: ChangedKind<T>) {
    this.#services = services
    this.#kind = kind
  }

  /** Returns a sentence in mrkdwn. */
  async apply(interaction: Interaction, id: string, name: ChangeName): Promise<string> {
    const record = await this.#kind.rows.get(interaction.tenant, id)
    const sentence = record ? await this.#change(interaction, record, name) : undefined
    // The Home tab may show a record that was already deleted.
    this.#services.homeTab.emit('outdated', interaction.actor)
    return sentence ?? notFoundText(this.#kind.info)
  }

  /** Whether the person may edit what is posted there. */
  async isInChannel({ actor, channel: here }: Interaction, channel: string): Promise<boolean> {
    if (isPersonId(channel)) return channel === actor.person.id
    return channel === here || this.#services.channels.hasMember(actor, channel)
  }

  /** Tells people outside of a channel why they can't change what is posted there. Returns mrkdwn. */
  outsiderText(channel: string): string {
    const hint = `An administrator can mute or delete this ${this.#kind.info.word} without that.`
    if (isPersonId(channel)) return `Only <@${channel}> can do that. ${hint}`
    return `You and Callboard must both be in <#${channel}> to do that. ${hint}`
  }

  /** @param verb what the person did: `changed` */
  async audit(actor: Actor, verb: string, record: T): Promise<void> {
    const detail = await this.#kind.describe(record)
    const what = `${verb} ${this.#kind.info.audit}`
    await this.#services.audit.record(actor, what, { channel: record.channel, detail })
  }

  /** Returns undefined if the record was deleted meanwhile. */
  async #change(interaction: Interaction, record: T, name: ChangeName): Promise<string | undefined> {
    if (!(await this.#mayChange(interaction, record, name))) return this.outsiderText(record.channel)
    const detail = await this.#kind.describe(record)
    const label = `${conversationText(record.channel)}: ${escapeText(detail)}`
    const { actor } = interaction
    if (name === 'delete') return this.#delete(actor, record, label)
    if (name === 'turn-on') return this.#turnOn(actor, record, label)
    return this.#mute(actor, record, name, label)
  }

  /** People in its channel may change a subscription. Its owner and administrators may always mute and delete it. */
  async #mayChange(interaction: Interaction, { channel, owner }: T, name: ChangeName): Promise<boolean> {
    const { actor } = interaction
    if (name === 'turn-on') return this.isInChannel(interaction, channel)
    if (owner === actor.person.id) return true
    if (await this.isInChannel(interaction, channel)) return true
    return this.#services.guards.may(actor, 'admin')
  }

  async #delete(actor: Actor, record: T, label: string): Promise<string | undefined> {
    if (!(await this.#kind.rows.delete(actor.tenant, record.id))) return undefined
    await this.#kind.deleted?.(record)
    await this.audit(actor, 'deleted', record)
    return `Deleted: ${label}.`
  }

  async #turnOn(actor: Actor, { id }: T, label: string): Promise<string | undefined> {
    const turnOn = (record: T) => this.#kind.turnOn(record, actor.person.id)
    const isChanged = await this.#store(actor, id, 'turned on', turnOn)
    if (!isChanged) return undefined
    return `Turned on: ${label}. You own it now.`
  }

  async #mute(actor: Actor, { id, channel }: T, name: MuteEntry, label: string): Promise<string | undefined> {
    const { workspaces, now } = this.#services
    const { zone } = await workspaces.zone(actor.tenant, channel)
    const muted = startMute(name, actor.person.id, zone, now())
    const isChanged = await this.#store(actor, id, 'muted', (record) => this.#kind.mute(record, muted))
    if (!isChanged) return undefined
    return `${mutedText(muted, zone, now())}: ${label}. ${this.#kind.info.meanwhile}`
  }

  /** Returns false if the record was deleted meanwhile. */
  async #store(actor: Actor, id: string, verb: string, change: (record: T) => T | Promise<T>) {
    const changed = await this.#kind.rows.change(actor.tenant, id, change)
    if (!changed) return false
    await this.#kind.changed?.(changed)
    await this.audit(actor, verb, changed)
    await this.#kind.announce?.(actor, changed)
    return true
  }
}
