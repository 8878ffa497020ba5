import type { Services } from '../../services.ts'
import { cut, escapeText } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { type Bound, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { recentLabel } from '../../time/labels.ts'
import { messageActions } from './message.ts'
import { MessageSender } from './message-sender.ts'

/** Who did what to a message, and when. */
type Act = NonNullable<AlertMessageRecord['taken']>

export const goneText = 'This alert is too old for that.'
export const yoursText = 'You took it already.'
const nameOf = ({ name }: Act) => escapeText(cut(name, 80))
export const takenText = (by: Act, at: string) => `${nameOf(by)} took it already, at ${at}.`
export const doneText = (by: Act, at: string) => `${nameOf(by)} closed it already, at ${at}.`
export const unshownText =
  "Noted, but Slack didn't change the message just now. It shows there with the next click or call."

/** What people do with the messages of alerts, which are everyone's in the channel. */
export function alertMessages({
  store,
  guards,
  channels,
  delivery,
  workspaces,
  metrics,
  backgroundWebApi,
  now,
}: Services): FeatureRoutes {
  const sending = { store, guards, channels, delivery, workspaces, metrics, backgroundWebApi }
  const sender = new MessageSender(sending)

  async function labelOf(tenant: TenantKey, { channel }: AlertMessageRecord, at: number): Promise<string> {
    const { zone } = await workspaces.zone(tenant, channel)
    return recentLabel(zone, new Date(at), new Date(now()))
  }

  /** What somebody is told for whom there is nothing left to do; `undefined` where there is. */
  async function refusal(
    { tenant, actor }: Interaction,
    message: AlertMessageRecord,
    isTaking: boolean,
  ): Promise<Answer | undefined> {
    const { taken, done } = message
    if (done) return textAnswer(doneText(done, await labelOf(tenant, message, done.at)))
    if (!isTaking || !taken) return undefined
    if (taken.person === actor.person.id) return textAnswer(yoursText)
    return textAnswer(takenText(taken, await labelOf(tenant, message, taken.at)))
  }

  /** The first one wins, in whatever process. */
  async function act(
    interaction: Interaction,
    { id, ts }: { readonly id: string; readonly ts: string },
    doIt: (message: AlertMessageRecord, act: Act) => AlertMessageRecord | undefined,
    isTaking: boolean,
  ): Promise<Answer | undefined> {
    const { actor, tenant } = interaction
    const { person } = actor
    const own: Act = { person: person.id, name: person.name, at: now() }
    // Where Slack took it and nobody noted where it is, the click tells.
    const isPlaced = (message: AlertMessageRecord) => ({ ...message, ts: message.ts ?? ts })
    const changed = await store.alertMessages.change(tenant, id, (message) => doIt(isPlaced(message), own))
    if (!changed) {
      const message = await store.alertMessages.get(tenant, id)
      return message ? refusal(interaction, message, isTaking) : textAnswer(goneText)
    }
    const shown = await sender.show(actor, id)
    return shown === 'gone' || shown.kind !== 'sent' ? textAnswer(unshownText) : undefined
  }

  const button = (isTaking: boolean, doIt: Parameters<typeof act>[2]): Bound<{ readonly id: string }> => ({
    needs: 'member',
    answersBelow: true,
    handle: (interaction, { id }, { message: ts }) => act(interaction, { id, ts }, doIt, isTaking),
  })

  return {
    actions: bind(messageActions, {
      take: button(true, (message, taken) =>
        message.taken || message.done ? undefined : { ...message, taken },
      ),
      done: button(false, (message, done) => (message.done ? undefined : { ...message, done })),
    }),
  }
}
