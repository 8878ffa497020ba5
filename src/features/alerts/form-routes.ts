import { isDeepStrictEqual } from 'node:util'
import { alertFormActions, MOST_ALERTS } from '../../alerts/alert-buttons.ts'
import { alertDetail } from '../../alerts/alert-text.ts'
import type { Services } from '../../services.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { plainChannelRefusal } from '../../slack/deliver/failures.ts'
import { type ListPlace, listAgain, listOf, readFormOrigin } from '../../slack/deliver/form-origin.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  type Bound,
  bind,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import type { AlertRecord } from '../../store/alerts.ts'
import { lineKey } from '../../telephony/line-names.ts'
import { chosenAgents } from './chosen-agents.ts'
import { alertChoices, alertModal, type Choices, choicesIn, readAlert, title } from './form.ts'
import { full, notFound, savedText, thereAlready } from './list.ts'
import { AlertLists } from './lists.ts'

/** What makes two alerts post the same, whoever set them up. */
const contentOf = ({ channel, lines, agents, threshold, hours }: AlertRecord) => ({
  channel,
  lines: lines.map(lineKey).toSorted(),
  agents: agents.map(({ id }) => id).toSorted(),
  threshold: threshold ?? null,
  hours: hours ?? null,
})

/** Whether they post the same in the same channel. */
const isDuplicateAlert = (one: AlertRecord, other: AlertRecord): boolean =>
  isDeepStrictEqual(contentOf(one), contentOf(other))

export const slow = {
  title,
  waiting: 'Saving…',
  failed:
    'Sorry, something went wrong on our side, so this may not be saved. Check your alerts, then try again.',
}

/** In the form's place. */
export const notice = (text: string) => noticeModal(text, { title })

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
  const lists = new AlertLists({ alerts, workspaces, now })
  const isFull = async ({ tenant }: Interaction) => (await store.alerts.all(tenant)).length >= MOST_ALERTS

  const isThere = async ({ tenant }: Interaction, alert: AlertRecord) =>
    (await store.alerts.all(tenant)).some((one) => one.id !== alert.id && isDuplicateAlert(one, alert))

  async function form(
    { actor: { team }, tenant, channel: openedIn, channelName }: Interaction,
    { alert, list }: { alert?: AlertRecord | undefined; list?: ListPlace | undefined },
    chosen: Choices = {},
  ) {
    const here = isDirectConversation(openedIn, channelName) ? '' : openedIn
    const channel = chosen.channel ?? alert?.channel ?? here
    const [names, { zone }] = await Promise.all([
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, channel),
    ])
    const own = channel === '' ? undefined : zone
    return alertModal({ team, openedIn, here: chosen.channel ?? here, zone: own, names, alert, list }, chosen)
  }

  async function open(
    interaction: Interaction,
    { alert, list }: { alert?: AlertRecord; list?: ListPlace | undefined } = {},
  ) {
    // Who is not connected is told so before filling in a form.
    await workspaces.account(interaction.tenant)
    if (!alert && (await isFull(interaction))) return notice(full)
    return form(interaction, { alert, list })
  }

  async function save(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const account = await workspaces.account(tenant)
    const names = await workspaces.lineNames(tenant)
    const { id: changed, list } = readFormOrigin(view)
    // A second submission of the same form makes no second one.
    const id = changed ?? view.id
    const before = await store.alerts.get(tenant, id)
    if (changed !== undefined && !before) return { view: notice(notFound) }
    if (!before && (await isFull(interaction))) return { view: notice(full) }
    const read = readAlert(view, names)
    if (read === 'incomplete')
      return { view: await form(interaction, { alert: before, list }, choicesIn(view)) }
    if ('errors' in read) return read
    const { channel, lines, threshold, hours } = read.plan
    const state = await channels.state(actor, channel)
    if (state !== 'ok') return { errors: { channel: plainChannelRefusal(state) } }
    const found = await chosenAgents(agentList, account, read.plan.agentIds, before)
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
    const isAsBefore = before !== undefined && isDuplicateAlert(before, alert)
    if (!isAsBefore && (await isThere(interaction, alert))) return { errors: { channel: thereAlready } }
    const isSame = isAsBefore && before.owner === alert.owner
    // What was changed begins anew; of what wasn't, nothing that waits to be told is dropped, and what failed may do better now.
    if (!isSame) await alerts.keep(alert)
    else if (changed !== undefined) await alerts.pollAgain(tenant)
    const what = changed === undefined ? 'alert' : 'alert changed'
    if (!isSame) await audit.record(actor, what, alertDetail(alert, names))
    const { zone } = await workspaces.zone(tenant, channel)
    const saved = notice(savedText(alert, names, zone, new Date(now())))
    const beside = listAgain(list, (page) => lists.show(interaction, page))
    return { view: saved, beside }
  }

  /** A choice that other inputs depend on. */
  const redrawn: Bound<undefined> = {
    needs: 'calls',
    async handle(interaction, _value, { viewId, actionTs }, { view }) {
      if (view === undefined || viewId === undefined) throw new ForgedValueError('a choice in no form')
      await modals.redraw(interaction.actor, { viewId, actionTs }, async () => {
        const { id, list } = readFormOrigin(view)
        const alert = id === undefined ? undefined : await store.alerts.get(interaction.tenant, id)
        const isGone = id !== undefined && !alert
        return isGone ? notice(notFound) : form(interaction, { alert, list }, choicesIn(view))
      })
      return undefined
    },
  }

  return {
    commands: [
      { command: 'calls', word: 'alert', needs: 'calls', openModal: (interaction) => open(interaction) },
    ],
    actions: [
      ...bind(alertFormActions, {
        new: {
          needs: 'calls',
          openModal: (interaction, { page }, place) => open(interaction, { list: listOf(place, page) }),
        },
        edit: {
          needs: 'calls',
          async openModal(interaction, { id, page }, place) {
            const alert = await store.alerts.get(interaction.tenant, id)
            return alert ? open(interaction, { alert, list: listOf(place, page) }) : notice(notFound)
          },
        },
      }),
      ...bind(alertChoices, { channel: redrawn, when: redrawn, hours: redrawn }),
    ],
    submissions: [{ view: VIEWS.alert, needs: 'calls', slow, handle: save }],
  }
}
