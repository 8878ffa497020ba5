import type { Services } from '../../services.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { Subscription, SubscriptionKind } from './kind.ts'
import { type MuteEntry, mutedText, startMute } from './mute.ts'

export type ChangeName = MuteEntry | 'turn-on' | 'delete'

const auditWords: Readonly<Record<ChangeName, string>> = {
  'mute-hour': 'muted',
  'mute-day': 'muted',
  mute: 'muted',
  'turn-on': 'turned on',
  delete: 'deleted',
}

/** Changes that people make to subscriptions of one kind, with permissions and the audit log. Every method @throws {StoreError}. */
export class SubscriptionChanges<T extends Subscription, Draft extends Pick<Subscription, 'channel'>> {
  readonly #services
  readonly #kind

  constructor(
    services: Pick<Services, 'workspaces' | 'guards' | 'channels' | 'audit' | 'homeTab' | 'now'>,
    kind: SubscriptionKind<T, Draft>,
  ) {
    this.#services = services
    this.#kind = kind
  }

  get notFoundText(): string {
    return `That ${this.#kind.info.word} was already deleted.`
  }

  notInText(channel: string): string {
    const who = isPersonId(channel)
      ? `Only <@${channel}> can`
      : `You and Callboard must both be in <#${channel}> to`
    return `${who} do that. An administrator can mute or delete this ${this.#kind.info.word} without that.`
  }

  async isInChannel(
    { actor: { installation, person }, channel: here }: Interaction,
    channel: string,
  ): Promise<boolean> {
    if (isPersonId(channel)) return channel === person.id
    return channel === here || this.#services.channels.hasMember(installation, channel, person.id)
  }

  /** Changes a subscription and returns a sentence about it. mrkdwn. */
  async apply(interaction: Interaction, id: string, name: ChangeName): Promise<string> {
    const { actor, tenant } = interaction
    const { info, rows, words } = this.#kind
    const before = await rows.get(tenant, id)
    if (before && !(await this.#mayChange(interaction, before, name))) return this.notInText(before.channel)
    const changed = before && (await this.#change(interaction, before, name))
    const record = changed ?? (name === 'delete' ? undefined : await rows.get(tenant, id))
    const described = record && (await words(record))
    if (changed && described) {
      const entry = { channel: changed.channel, detail: described.detail }
      await this.#services.audit.record(actor, `${info.audit} ${auditWords[name]}`, entry)
    }
    // If it was deleted already, the Home tab still shows it.
    this.#services.homeTab.emit('outdated', actor)
    return record && described ? this.#describe(record, described.name, interaction, name) : this.notFoundText
  }

  /** Returns undefined if the record is as it should be already, or deleted. */
  async #change(
    { actor: { person }, tenant }: Interaction,
    before: T,
    name: ChangeName,
  ): Promise<T | undefined> {
    const { rows, mute, turnOn } = this.#kind
    const { id } = before
    if (name === 'delete') return (await rows.delete(tenant, id)) ? before : undefined
    const changeIfDifferent = (change: (record: T) => T | Promise<T>) =>
      rows.change(tenant, id, async (record) => {
        const changed = await change(record)
        return JSON.stringify(changed) === JSON.stringify(record) ? undefined : changed
      })
    if (name === 'turn-on') return changeIfDifferent((record) => turnOn(record, person.id))
    const { workspaces, now } = this.#services
    const { zone } = await workspaces.zone(tenant, before.channel)
    const muted = startMute(name, person.id, zone, now())
    return changeIfDifferent((record) => mute(record, muted))
  }

  async #describe({ muted, channel }: T, label: string, { tenant }: Interaction, name: ChangeName) {
    const { workspaces, now } = this.#services
    if (name === 'delete') return `Deleted: ${label}.`
    if (name === 'turn-on') return `Turned on: ${label}. You own it now.`
    const { zone } = await workspaces.zone(tenant, channel)
    return `${muted ? mutedText(muted, zone, now()) : 'Muted'}: ${label}. ${this.#kind.info.meanwhile}`
  }

  /** Everyone in its channel may change it; its owner and administrators may mute and delete it without that. */
  async #mayChange(interaction: Interaction, { channel, owner }: T, name: ChangeName): Promise<boolean> {
    const isStop = name !== 'turn-on'
    return (
      (isStop && owner === interaction.actor.person.id) ||
      (await this.isInChannel(interaction, channel)) ||
      (isStop && (await this.#services.guards.may(interaction.actor, 'admin')))
    )
  }
}
