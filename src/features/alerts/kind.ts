import { isDeepStrictEqual } from 'node:util'
import type { AlertWithState } from '../../alerts/alerts.ts'
import type { MuteLength, PlannedInfo, PlannedKind, PlannedRow } from '../../planned/kind.ts'
import type { Services } from '../../services.ts'
import { NotAllowedError } from '../../slack/access/errors.ts'
import type { Actor, Guards } from '../../slack/access/guards.ts'
import { postDirectMessage } from '../../slack/api/post-message.ts'
import { escapeText, isPersonId, placeText } from '../../slack/blocks/blocks.ts'
import { menuAgentId } from '../../slack/blocks/links.ts'
import { withTeam } from '../../slack/blocks/values.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { type AlertRecord, isMuted } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { AgentList } from '../../telephony/agent-list.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { type LineList, type LineNames, lineKey } from '../../telephony/lines.ts'
import type { Account } from '../../telephony/types.ts'
import { addDays } from '../../time/days.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, startOfDay } from '../../time/zones.ts'
import { capital } from '../../util/text.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import { type AlertDraft, alertActions, alertBlocks, alertChoices, readAlert } from './form.ts'
import { consentMessage } from './message.ts'
import { alertDetail, alertLine, alertState, alertText, alertTimes } from './words.ts'

export const alertInfo: PlannedInfo = {
  needs: 'calls',
  command: 'calls',
  word: 'alert',
  longWord: 'missed-call alert',
  form: 'calls.alert',
  title: 'Missed-call alert',
  ...alertActions,
  takeOver: 'take-over',
  audit: 'alert',
  consequence: "It won't post missed calls there any more.",
  list: {
    title: 'Missed-call alerts',
    perPage: 4,
    none: 'No missed-call alerts yet. An alert posts in a channel when a call is missed, and shows who takes it.',
    counted: (count) => `${count}.`,
    hint: "Times are in each channel's time zone, and in the workspace's for direct messages.",
  },
  home: {
    section: 'Missed-call alerts',
    prefix: 'Missed-call alert, ',
    new: 'Alert…',
    all: { id: 'alerts', text: 'All alerts' },
  },
}

/** When it speaks again: where the clocks change at midnight, the day begins later. */
const muteEnd = (length: MuteLength, zone: Zone, now: EpochMs): EpochMs =>
  length === 'hour' ? now + hourMs : startOfDay(zone, addDays(localDay(zone, new Date(now)), 1)).getTime()

const mutedUntilText = ({ mutedUntil = 0 }: AlertRecord, zone: Zone, now: EpochMs) =>
  recentLabel(zone, new Date(mutedUntil), new Date(now))

// Below the inputs for agents and lines.
const agentGone = "One of these agents isn't in the phone account any more. Choose again."
const unknownNow = (what: 'agents' | 'lines') =>
  `The phone service isn't responding, so these ${what} can't be looked up. Try again in a moment, or leave them out for now.`

type Chosen =
  | { readonly agents: AlertRecord['agents']; readonly error?: undefined }
  | { readonly error: string }

/**
 * The agents of these ids with their names. Those that the alert had before keep theirs, and the service is not asked for
 * them.
 * @returns why, where they can't be told
 */
async function chosenAgents(
  agentList: AgentList,
  account: Account,
  ids: readonly string[],
  before: AlertRecord | undefined,
): Promise<Chosen> {
  const known = before?.agents ?? []
  const isKnown = (id: string) => known.some((agent) => menuAgentId(agent) === id)
  try {
    const all = ids.every(isKnown) ? known : [...known, ...(await agentList.list(account))]
    const found = ids.map((id) => all.find((agent) => menuAgentId(agent) === id))
    const agents = found.filter((agent) => agent !== undefined).map(({ id, name }) => ({ id, name }))
    return agents.length < found.length ? { error: agentGone } : { agents }
  } catch (error) {
    if (error instanceof TelephonyError && !describeFailure(error).isPermanent)
      return { error: unknownNow('agents') }
    throw error
  }
}

/** Why these aren't lines that an alert can be for; those that it had before may stay. @returns nothing where they are */
async function lineProblem(
  lineList: LineList,
  account: Account,
  { lines, names }: { readonly lines: readonly string[]; readonly names: LineNames },
  before: AlertRecord | undefined,
): Promise<string | undefined> {
  const unknownOf = (known: readonly string[]) => {
    const keys = new Set(known.map(lineKey))
    return lines.find((line) => !keys.has(lineKey(line)))
  }
  const known = names.with(before?.lines ?? [])
  if (unknownOf(known) === undefined) return undefined
  try {
    const unknown = unknownOf([...known, ...(await lineList.numbers(account))])
    return unknown && `${names.write(unknown)} isn't a line of this phone account. Choose again.`
  } catch (error) {
    if (error instanceof TelephonyError && !describeFailure(error).isPermanent) return unknownNow('lines')
    throw error
  }
}

const notReceiving =
  "They can't see calls in this workspace, so they can't get alerts. Choose another person."

async function mayReceive(guards: Guards, { team }: Actor, person: string): Promise<boolean> {
  try {
    await guards.admit(team, person, 'calls')
    return true
  } catch (error) {
    if (error instanceof NotAllowedError) return false
    throw error
  }
}

const contentOf = (one: AlertRecord | AlertDraft) => ({
  channel: one.channel,
  lines: one.lines.map(lineKey).toSorted(),
  agents: ('agents' in one ? one.agents.map(menuAgentId) : one.agentIds).toSorted(),
  threshold: one.threshold ?? null,
  hours: one.hours ?? null,
})

/** What waits to be posted was missed by these. */
const watchedBy = (alert: AlertRecord | AlertDraft) => {
  const { lines, agents } = contentOf(alert)
  return { lines, agents }
}

/** Whether both may post the same call. */
function areForSame(one: AlertRecord, other: AlertRecord): boolean {
  const [own, others] = [watchedBy(one), watchedBy(other)]
  const overlap = (some: readonly string[], more: readonly string[]) =>
    some.length === 0 || more.length === 0 || some.some((each) => more.includes(each))
  return overlap(own.lines, others.lines) && overlap(own.agents, others.agents)
}

const twiceText = ' Another alert posts some of the same calls there: see /calls alerts.'

function changesOf(alert: AlertRecord, now: EpochMs): PlannedRow['changes'] {
  // What waits, or is paused, says nothing anyway.
  if (alert.isAwaiting) return []
  return alert.isPaused ? ['resume'] : ['pause', isMuted(alert, now) ? 'unmute' : 'mute']
}

export function alertRow(one: AlertWithState, names: LineNames, now: EpochMs): PlannedRow {
  const { alert, zone, trouble } = one
  const [title, state] = [alertLine(alert, names), alertState(one, now)]
  return {
    id: alert.id,
    owner: alert.owner,
    at: 0,
    isFailing: trouble !== undefined,
    changes: changesOf(alert, now),
    title,
    details: [`${escapeText(alertTimes(alert, zone))} · Set up by <@${alert.owner}>`],
    state: [state],
    line: `${title}: ${state}`,
  }
}

/** What an alert is confirmed with: what will happen. mrkdwn. */
function savedText(alert: AlertRecord, names: LineNames, zone: Zone, now: EpochMs): string {
  const where = placeText(alert.channel)
  if (alert.isAwaiting) return `Saved. Nothing is sent until <@${alert.channel}> agrees, in a direct message.`
  if (alert.isPaused) return `Saved. This alert is still paused, so nothing is posted in ${where}.`
  const what = escapeText(alertText(alert, names))
  const tells = `${what} ${alert.threshold === undefined ? 'is' : 'are'} posted in ${where}`
  const hours =
    alert.hours === undefined
      ? ''
      : ` Hours: ${escapeText(alertTimes(alert, zone))}. Calls missed outside them are posted in one message when the hours begin.`
  if (isMuted(alert, now))
    return `Saved. This alert is still muted until ${mutedUntilText(alert, zone, now)}. After that, ${tells}.${hours}`
  return `Saved. ${capital(tells)} from now on.${hours}`
}

export function missedCallAlerts({
  alerts,
  workspaces,
  agentList,
  lineList,
  guards,
  webApi,
  now,
}: Services): PlannedKind<AlertRecord, AlertDraft> {
  return {
    info: alertInfo,
    rows: alerts,
    async list(tenant) {
      const [all, names] = await Promise.all([alerts.list(tenant), workspaces.lineNames(tenant)])
      return all.map((one) => alertRow(one, names, now()))
    },
    async words(alert) {
      const names = await workspaces.lineNames(tenantKey(alert.tenant))
      return { name: alertLine(alert, names), detail: alertDetail(alert, names) }
    },
    changes: {
      pause: {
        change: (alert, { person }) =>
          alert.isPaused ? undefined : { ...alert, isPaused: true, pausedBy: person, mutedUntil: undefined },
        note: (name) => `Paused: ${name}. Calls missed until it is resumed aren't posted.`,
      },
      resume: {
        change: (alert, { person, now: since }) =>
          alert.isPaused
            ? { ...alert, isPaused: false, pausedBy: undefined, owner: person, since }
            : undefined,
        note: (name) => `Resumed: ${name}. Posting new missed calls again.`,
      },
      // On the home tab, where whoever set it up may not see calls any more.
      'take-over': {
        change: ({ pausedBy: _, ...alert }, { person, now: since }) =>
          alert.owner === person && !alert.isPaused
            ? undefined
            : { ...alert, isPaused: false, owner: person, ...(alert.isPaused ? { since } : {}) },
        note: (name) => `Taken over: ${name}. It's yours now.`,
      },
      mute: {
        change: (alert, { person, zone, now: at, length }) => ({
          ...alert,
          mutedUntil: muteEnd(length, zone, at),
          mutedBy: person,
        }),
        note: (name, alert, { zone, now: at }) =>
          `Muted until ${mutedUntilText(alert, zone, at)}: ${name}. Calls missed until then aren't posted.`,
      },
      unmute: {
        // What was missed until now is never posted.
        change: (alert, { now: at }) => (isMuted(alert, at) ? { ...alert, mutedUntil: at } : undefined),
        note: (name) => `Unmuted: ${name}. Posting new missed calls again.`,
      },
    },
    choices: Object.values(alertChoices),
    async form({ tenant, entered, ...setting }) {
      return alertBlocks({ ...setting, names: await workspaces.lineNames(tenant) }, entered)
    },
    read: async (view) => readAlert(view),
    contentOf,
    async save({ actor, tenant }, filled, { id, before }) {
      const { agentIds, ...draft } = filled
      const [account, names] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
      const wrongLine = await lineProblem(lineList, account, { lines: draft.lines, names }, before)
      if (wrongLine !== undefined) return { errors: { lines: wrongLine } }
      const isOwn = !isPersonId(draft.channel) || draft.channel === actor.person.id
      if (!isOwn && !(await mayReceive(guards, actor, draft.channel)))
        return { errors: { person: notReceiving } }
      const found = await chosenAgents(agentList, account, agentIds, before)
      if (found.error !== undefined) return { errors: { agents: found.error } }
      const make = (current?: AlertRecord): AlertRecord => {
        const isAwaiting = isOwn ? undefined : current?.channel === draft.channel ? current.isAwaiting : true
        const isAgreed = current?.isAwaiting !== undefined && isAwaiting === undefined
        // An alert of other lines or agents, or that waits for nobody any more, begins anew. Of any other, nothing that waits
        // to be posted is dropped.
        const goesOn =
          current !== undefined && !isAgreed && isDeepStrictEqual(watchedBy(current), watchedBy(filled))
        const { since } = goesOn ? current : { since: now() }
        const own = {
          id,
          tenant: actor.team,
          owner: actor.person.id,
          since,
          agents: found.agents,
          isAwaiting,
        }
        return { isPaused: false, ...current, ...draft, ...own }
      }
      if (!isOwn && before?.channel !== draft.channel) {
        const text = consentMessage({ id }, actor.person.id, escapeText(alertText(make(), names)))
        const { botToken } = actor.installation
        await postDirectMessage(webApi, botToken, draft.channel, withTeam(text, actor.team))
      }
      // What failed may do better now, also where nothing was changed.
      const record = before ? await alerts.change(tenant, id, make) : await alerts.add(make())
      if (!record) return undefined
      const isSame =
        before !== undefined &&
        before.owner === record.owner &&
        before.isAwaiting === record.isAwaiting &&
        isDeepStrictEqual(contentOf(before), contentOf(record))
      const { zone } = await workspaces.zone(tenant, record.channel)
      const text = savedText(record, names, zone, now())
      const isPosting = (one: AlertRecord) => !one.isPaused && !one.isAwaiting
      const isTwice = (one: AlertRecord) =>
        one.id !== record.id && one.channel === record.channel && isPosting(one) && areForSame(one, record)
      const others = isPosting(record) ? await alerts.all(tenant) : []
      return { record, isSame, text: others.some(isTwice) ? text + twiceText : text }
    },
  }
}
