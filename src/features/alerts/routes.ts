import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pollQueue } from '../../alerts/alerts.ts'
import type { Services } from '../../services.ts'
import { cut, escapeText } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { type ActionHandler, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { AlertMessageRecord, AlertRecord, AlertTrouble } from '../../store/alerts.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { recentLabel } from '../../time/labels.ts'
import { alertDelivery } from './delivery.ts'
import { messageActions } from './message.ts'
import { createPoller } from './poller.ts'
import { alertDetail, alertText, noNewsNotice } from './words.ts'

const shardsAtATime = 8

type Act = NonNullable<AlertMessageRecord['taken']>

const goneText = 'This alert is too old for that.'
const yoursText = 'You already took it.'
const nameOf = ({ name }: Act) => escapeText(cut(name, 80))
const takenText = (by: Act, at: string) => `Already taken by ${nameOf(by)} at ${at}.`
const doneText = (by: Act, at: string) => `Already done by ${nameOf(by)} at ${at}.`
const releasedText = 'Already released.'
const reopenedText = 'Already reopened.'
const unshownText = "Noted, but Slack didn't change the message just now. It shows there with the next click."

/** One notice for each trouble and each reason. */
export const noNewsId = (tenant: TenantKey, { since, why }: AlertTrouble): string =>
  `alerts${tenant}/${since}/${hash('sha256', why, 'base64url').slice(0, 12)}`

/** Accounts are polled for missed calls, which are posted; and what people do with these messages, which are everyone's. */
export function missedCallPolling(services: Services): FeatureRoutes {
  const { store, alerts, workspaces, audit, notices, enqueueShardsEveryMs, now } = services
  const { deliver, show } = alertDelivery(services)
  const poll = createPoller(services, deliver, notifyOwners)
  workspaces.on('connect', (tenant) => alerts.pollAgain(tenant))
  // Hours and days are those of the zone.
  workspaces.on('zone', (tenant) => alerts.pollAgain(tenant))

  /** What somebody is told who comes too late. @param undone what is said where nobody has it any more */
  async function refusal(
    { tenant, actor }: Interaction,
    { taken, done, channel }: AlertMessageRecord,
    undone: string,
  ): Promise<Answer> {
    const { zone } = await workspaces.zone(tenant, channel)
    const labelOf = ({ at }: Act) => recentLabel(zone, new Date(at), new Date(now()))
    if (done) return textAnswer(doneText(done, labelOf(done)))
    if (!taken || undone === reopenedText) return textAnswer(undone)
    return textAnswer(taken.person === actor.person.id ? yoursText : takenText(taken, labelOf(taken)))
  }

  /** The first one wins, in whatever process. */
  async function act(
    interaction: Interaction,
    { id, ts }: { readonly id: string; readonly ts: string },
    doIt: (message: AlertMessageRecord, act: Act) => AlertMessageRecord | undefined,
    undone: string,
  ): Promise<Answer | undefined> {
    const { actor, tenant } = interaction
    const { person } = actor
    const own: Act = { person: person.id, name: person.name, at: now() }
    // Where Slack took it and nobody noted where it is, the click tells.
    const isPlaced = (message: AlertMessageRecord) => ({
      ...message,
      ts: message.ts ?? ts,
      conversation: message.conversation ?? interaction.channel,
    })
    const changed = await store.alertMessages.change(tenant, id, (message) => doIt(isPlaced(message), own))
    if (!changed) {
      const message = await store.alertMessages.get(tenant, id)
      return message ? refusal(interaction, message, undone) : textAnswer(goneText)
    }
    const shown = await show(actor, id)
    return shown === 'gone' || shown.kind !== 'sent' ? textAnswer(unshownText) : undefined
  }

  const button = <Value extends { readonly id: string }>(
    doIt: (message: AlertMessageRecord, act: Act, value: Value) => AlertMessageRecord | undefined,
    undone = releasedText,
  ): ActionHandler<Value> => ({
    needs: 'member',
    replacesOriginal: false,
    handle: (interaction, value, { message: ts }) =>
      act(interaction, { id: value.id, ts }, (message, own) => doIt(message, own, value), undone),
  })

  /** A person lets an alert send to them; whoever clicks, it is for that person alone to say. */
  async function agree({ actor, tenant }: Interaction, { id }: { readonly id: string }): Promise<Answer> {
    const { person } = actor
    const changed = await alerts.change(tenant, id, (alert) =>
      alert.isAwaiting && alert.channel === person.id
        ? { ...alert, isAwaiting: undefined, since: now() }
        : undefined,
    )
    const alert = changed ?? (await alerts.get(tenant, id))
    if (alert?.channel !== person.id) return textAnswer('This alert was deleted or changed.')
    const names = await workspaces.lineNames(tenant)
    const what = escapeText(alertText(alert, names))
    if (changed)
      await audit.record(actor, 'alert agreed', { channel: person.id, detail: alertDetail(alert, names) })
    const since = alert.isPaused ? 'once it is resumed' : 'from now on'
    return textAnswer(`You agreed. Posted here ${since}: ${what}. To change or stop it: \`/calls alerts\``)
  }

  /** Each of them, and a channel of theirs where a direct message reaches none. */
  async function notifyOwners(own: readonly AlertRecord[], { since, why }: AlertTrouble): Promise<void> {
    const [first] = own
    if (!first) return
    const tenant = tenantKey(first.tenant)
    const { zone } = await workspaces.zone(tenant, '')
    const owners = own.map(({ owner }) => owner)
    const places = [...new Set(own.map(({ channel }) => channel))]
    const notice = noNewsNotice(places, why, recentLabel(zone, new Date(since), new Date(now())))
    await notices.notify(first.tenant, owners, noNewsId(tenant, { since, why }), notice, first.channel)
  }

  /** Whatever becomes of a shard's job, or of the clock that said when it is due: its accounts are polled before long. */
  async function keepPolling(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await alerts.enqueueAll()
      await sleep(enqueueShardsEveryMs, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  return {
    actions: bind(messageActions, {
      take: button((message, taken) => (message.taken || message.done ? undefined : { ...message, taken })),
      done: button((message, done) => (message.done ? undefined : { ...message, done }), reopenedText),
      release: button((message, _, { at }) =>
        message.done || message.taken?.at !== at ? undefined : { ...message, taken: undefined },
      ),
      reopen: button(
        (message, _, { at }) => (message.done?.at === at ? { ...message, done: undefined } : undefined),
        reopenedText,
      ),
      agree: { needs: 'calls', handle: agree },
    }),
    jobs: [{ queue: pollQueue, concurrency: shardsAtATime, handle: poll }],
    background: [keepPolling],
  }
}
