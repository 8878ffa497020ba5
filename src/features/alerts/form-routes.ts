import { isDeepStrictEqual } from 'node:util'
import { alertDetail } from '../../alerts/alert-text.ts'
import type { Services } from '../../services.ts'
import { plainChannelRefusal } from '../../slack/answers/channel-texts.ts'
import { describeFailure } from '../../slack/answers/error-texts.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { menuAgentId } from '../../slack/blocks/agent-menu.ts'
import { MOST_ALERTS, readAlertButton } from '../../slack/blocks/alert-buttons.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { ActionRoute, FeatureRoutes, Interaction, SubmissionResult } from '../../slack/routing/routes.ts'
import type { AlertRecord } from '../../store/alerts.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import type { Account } from '../../telephony/types.ts'
import { type ReadAlert, readAlert, readAlertId, readChoices } from './form.ts'
import { full, notFound, savedText } from './list.ts'
import { alertModal, type Choices, choicesOf, title } from './modal.ts'

export const slow = {
  title,
  waiting: 'Saving…',
  failed:
    'Sorry, something went wrong on our side, so this may not be saved. Check your alerts, then try again.',
  note: 'an alert could not be kept',
}

// Below the input for agents.
export const agentGone = "One of these agents isn't in the phone account any more. Choose again."
export const agentsUnknown =
  "The phone service isn't responding, so I can't look these agents up. Try again in a moment, or leave them out for now."

/** In the form's place. */
export const notice = (text: string) => noticeModal(text, { title })

/** What makes two alerts tell the same in the name of the same person. */
const effectOf = ({ channel, lines, agents, threshold, hours, owner }: AlertRecord) => ({
  channel,
  lines,
  agents,
  threshold: threshold ?? null,
  hours: hours ?? null,
  owner,
})

/** `/calls alert`: the form in which an alert is made and changed. */
export function alertForms({
  store,
  alerts,
  workspaces,
  agentList,
  channels,
  modals,
  audit,
  now,
}: Services): FeatureRoutes {
  const isFull = async ({ tenant }: Interaction) => (await store.alerts.all(tenant)).length >= MOST_ALERTS

  async function form(
    { actor: { team }, tenant, channel: openedIn }: Interaction,
    choices: Choices,
    alert?: AlertRecord,
  ) {
    const { channel } = choices
    const [names, { zone }] = await Promise.all([
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, channel),
    ])
    return alertModal({
      ...choices,
      team,
      openedIn,
      zone: channel === '' ? undefined : zone,
      names,
      alert,
    })
  }

  async function open(interaction: Interaction, alert?: AlertRecord) {
    const { tenant, channel, channelName } = interaction
    // Who is not connected is told so before filling in a form.
    await workspaces.account(tenant)
    if (!alert && (await isFull(interaction))) return notice(full)
    return form(
      interaction,
      choicesOf(alert, isDirectConversation(channel, channelName) ? '' : channel),
      alert,
    )
  }

  /** The agents with their names: those that it had before keep theirs, and the service is not asked for them. */
  async function agentsOf(account: Account, ids: readonly string[], before: AlertRecord | undefined) {
    const known = before?.agents ?? []
    const isKnown = (id: string) => known.some((agent) => menuAgentId(agent) === id)
    const all = ids.every(isKnown) ? known : [...known, ...(await agentList.list(account))]
    return ids.map((id) => all.find((agent) => menuAgentId(agent) === id))
  }

  /** @returns why, where they can't be told */
  async function readAgents(account: Account, { agentIds }: ReadAlert, before: AlertRecord | undefined) {
    try {
      const found = await agentsOf(account, agentIds, before)
      const agents = found.filter((agent) => agent !== undefined).map(({ id, name }) => ({ id, name }))
      return agents.length < found.length ? { error: agentGone } : { agents }
    } catch (error) {
      if (error instanceof TelephonyError && !describeFailure(error).isPermanent)
        return { error: agentsUnknown }
      throw error
    }
  }

  async function save(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const account = await workspaces.account(tenant)
    const names = await workspaces.lineNames(tenant)
    const changed = readAlertId(view)
    // A second submission of the same form makes no second one.
    const id = changed ?? view.id
    const before = await store.alerts.get(tenant, id)
    if (changed !== undefined && !before) return { view: notice(notFound) }
    if (!before && (await isFull(interaction))) return { view: notice(full) }
    const read = readAlert(view, names)
    if (read === 'incomplete') return { view: await form(interaction, readChoices(view, before), before) }
    if ('errors' in read) return read
    const { channel, lines, threshold, hours } = read.plan
    const state = await channels.state(actor, channel)
    if (state !== 'ok') return { errors: { channel: plainChannelRefusal(state) } }
    const found = await readAgents(account, read.plan, before)
    if (found.error !== undefined) return { errors: { agents: found.error } }
    const alert: AlertRecord = {
      isPaused: false,
      ...before,
      id,
      tenant: actor.team,
      channel,
      owner: actor.person.id,
      since: now(),
      lines,
      agents: found.agents,
      threshold,
      hours,
    }
    const isSame = before !== undefined && isDeepStrictEqual(effectOf(before), effectOf(alert))
    // What was changed begins anew, and so may what failed.
    if (!isSame || changed !== undefined) await alerts.keep(alert)
    const what = changed === undefined ? 'alert' : 'alert changed'
    if (!isSame) await audit.record(actor, what, alertDetail(alert, names))
    const { zone } = await workspaces.zone(tenant, channel)
    return { view: notice(savedText(alert, names, zone, new Date(now()))) }
  }

  /** A choice that other inputs depend on. */
  const redrawn = (action: string): ActionRoute => ({
    action,
    needs: 'calls',
    async handle(interaction, { view }, { viewId, actionTs }) {
      if (view === undefined || viewId === undefined) throw new ForgedValueError('a choice in no form')
      await modals.redraw(interaction.actor, { viewId, actionTs }, async () => {
        const id = readAlertId(view)
        const alert = id === undefined ? undefined : await store.alerts.get(interaction.tenant, id)
        const isGone = id !== undefined && !alert
        return isGone ? notice(notFound) : form(interaction, readChoices(view, alert), alert)
      })
      return undefined
    },
  })

  return {
    commands: [
      { command: 'calls', word: 'alert', needs: 'calls', openModal: (interaction) => open(interaction) },
    ],
    actions: [
      { action: ACTIONS.alertNew, needs: 'calls', openModal: (interaction) => open(interaction) },
      {
        action: ACTIONS.alertEdit,
        needs: 'calls',
        async openModal(interaction, { value }) {
          const alert = await store.alerts.get(interaction.tenant, readAlertButton(value).id)
          return alert ? open(interaction, alert) : notice(notFound)
        },
      },
      ...[ACTIONS.alertChannel, ACTIONS.alertWhen, ACTIONS.alertHours].map(redrawn),
    ],
    submissions: [{ view: VIEWS.alert, needs: 'calls', slow, handle: save }],
  }
}
