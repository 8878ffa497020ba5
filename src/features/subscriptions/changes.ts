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
    const said = await this.#change(interaction, id, name)
    // If it was deleted already, the Home tab still shows it.
    this.#services.homeTab.emit('outdated', interaction.actor)
    return said
  }

  async #change(interaction: Interaction, id: string, name: ChangeName): Promise<string> {
    const { actor, tenant } = interaction
    const { workspaces, audit, now } = this.#services
    const { info, rows, words, mute, turnOn } = this.#kind
    const before = await rows.get(tenant, id)
    if (!before) return this.notFoundText
    const { channel } = before
    if (!(await this.#mayChange(interaction, before, name))) return this.notInText(channel)
    const { zone } = await workspaces.zone(tenant, channel)
    const muted =
      name === 'turn-on' || name === 'delete' ? undefined : startMute(name, actor.person.id, zone, now())
    const isChanged =
      name === 'delete'
        ? await rows.delete(tenant, id)
        : await rows.change(tenant, id, (one) => (muted ? mute(one, muted) : turnOn(one, actor.person.id)))
    if (!isChanged) return this.notFoundText
    const { name: label, detail } = await words(before)
    await audit.record(actor, `${info.audit} ${auditWords[name]}`, { channel, detail })
    if (muted) return `${mutedText(muted, zone, now())}: ${label}. ${info.meanwhile}`
    return name === 'delete' ? `Deleted: ${label}.` : `Turned on: ${label}. You own it now.`
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
