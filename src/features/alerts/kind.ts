import { isDeepStrictEqual } from 'node:util'
import type { MuteLength, PlannedInfo, PlannedKind, PlannedRow } from '../../planned/kind.ts'
import type { Services } from '../../services.ts'
import { escapeText, placeText } from '../../slack/blocks/blocks.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { type AlertRecord, isMuted } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { type LineList, type LineNames, lineKey } from '../../telephony/lines.ts'
import type { Account } from '../../telephony/types.ts'
import { addDays } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, startOfDay } from '../../time/zones.ts'
import { capital } from '../../util/text.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import { Alerts, type AlertWithState } from './alerts.ts'
import { type AlertDraft, alertActions, alertBlocks, readAlert } from './form.ts'
import { alertDetail, alertLine, alertState, alertText, alertTimes, mutedUntilText } from './words.ts'

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

/** Tomorrow begins later where the clocks change at midnight. */
const muteEnd = (length: MuteLength, zone: Zone, now: EpochMs): EpochMs =>
  length === 'hour' ? now + hourMs : startOfDay(zone, addDays(localDay(zone, new Date(now)), 1)).getTime()

/** Returns the error below the lines if the account has no such line; lines that the alert had before may stay. */
async function checkLines(
  lineList: LineList,
  account: Account,
  { lines, names }: { readonly lines: readonly string[]; readonly names: LineNames },
  before: AlertRecord | undefined,
): Promise<string | undefined> {
  const findUnknown = (known: readonly string[]) => {
    const keys = new Set(known.map(lineKey))
    return lines.find((line) => !keys.has(lineKey(line)))
  }
  const known = names.with(before?.lines ?? [])
  if (findUnknown(known) === undefined) return undefined
  try {
    const unknown = findUnknown([...known, ...(await lineList.numbers(account))])
    return unknown && `${names.write(unknown)} isn't a line of this phone account. Choose again.`
  } catch (error) {
    if (error instanceof TelephonyError && !describeFailure(error).isPermanent)
      return "The phone service isn't responding, so these lines can't be looked up. Try again in a moment, or leave them out for now."
    throw error
  }
}

const lineKeys = ({ lines }: Pick<AlertRecord, 'lines'>) => lines.map(lineKey).toSorted()

const toContent = (one: AlertRecord | AlertDraft) => ({
  channel: one.channel,
  lines: lineKeys(one),
  threshold: one.threshold ?? null,
  hours: one.hours ?? null,
})

/** True if both alerts may post the same call. */
function haveSameCalls(one: AlertRecord, other: AlertRecord): boolean {
  const [some, more] = [lineKeys(one), lineKeys(other)]
  return some.length === 0 || more.length === 0 || some.some((each) => more.includes(each))
}

const twiceText = ' Another alert posts some of the same calls there: see /calls alerts.'

function toChanges({ muted }: AlertRecord, now: EpochMs): PlannedRow['changes'] {
  if (muted && muted.until === undefined) return ['resume']
  return ['pause', isMuted({ muted }, now) ? 'unmute' : 'mute']
}

export function toAlertRow(one: AlertWithState, names: LineNames, now: EpochMs): PlannedRow {
  const { alert, zone, failing } = one
  const [title, state] = [alertLine(alert, names), alertState(one, now)]
  return {
    id: alert.id,
    owner: alert.owner,
    at: 0,
    isFailing: failing !== undefined,
    changes: toChanges(alert, now),
    title,
    details: [`${escapeText(alertTimes(alert, zone))} · Set up by <@${alert.owner}>`],
    state: [state],
    line: `${title}: ${state}`,
  }
}

/** Confirms a saved alert. mrkdwn. */
function alertSavedText(alert: AlertRecord, names: LineNames, zone: Zone, now: EpochMs): string {
  const where = placeText(alert.channel)
  const isOff = isMuted(alert, now)
  if (isOff && alert.muted?.until === undefined)
    return `Saved. This alert is still paused, so nothing is posted in ${where}.`
  const what = escapeText(alertText(alert, names))
  const tells = `${what} ${alert.threshold === undefined ? 'is' : 'are'} posted in ${where}`
  const hours =
    alert.hours === undefined
      ? ''
      : ` Hours: ${escapeText(alertTimes(alert, zone))}. Calls missed outside these hours arrive together when they start.`
  if (isOff)
    return `Saved. This alert is still muted until ${mutedUntilText(alert, zone, now)}. After that, ${tells}.${hours}`
  return `Saved. ${capital(tells)} from now on.${hours}`
}

/** Turns an alert on for its new owner; calls that were missed before are never posted. */
const turnOn = ({ muted: _, ...alert }: AlertRecord, owner: string, since: EpochMs): AlertRecord => ({
  ...alert,
  owner,
  since,
})

function alertChanges(): PlannedKind<AlertRecord, AlertDraft>['changes'] {
  return {
    pause: {
      change: (alert, { person, now }) =>
        isMuted(alert, now) && alert.muted?.until === undefined
          ? undefined
          : { ...alert, muted: { by: person } },
      note: (name) => `Paused: ${name}. Calls missed until it is resumed aren't posted.`,
    },
    resume: {
      change: (alert, { person, now }) =>
        alert.muted && alert.muted.until === undefined ? turnOn(alert, person, now) : undefined,
      note: (name) => `Resumed: ${name}. Posting new missed calls again.`,
    },
    // Offered on Home if the owner has left.
    'take-over': {
      change: (alert, { person, now }) => {
        const isPaused = alert.muted && alert.muted.until === undefined
        if (isPaused) return turnOn(alert, person, now)
        return alert.owner === person ? undefined : { ...alert, owner: person }
      },
      note: (name) => `Taken over: ${name}. It's yours now.`,
    },
    mute: {
      change: (alert, { person, zone, now, length }) => ({
        ...alert,
        muted: { by: person, until: muteEnd(length, zone, now) },
      }),
      note: (name, alert, { zone, now }) =>
        `Muted until ${mutedUntilText(alert, zone, now)}: ${name}. Calls missed until then aren't posted.`,
    },
    unmute: {
      change: (alert, { person, now }) => (isMuted(alert, now) ? turnOn(alert, person, now) : undefined),
      note: (name) => `Unmuted: ${name}. Posting new missed calls again.`,
    },
  }
}

export function missedCallAlerts(services: Services): PlannedKind<AlertRecord, AlertDraft> {
  const { workspaces, lineList, now } = services
  const alerts = new Alerts(services)
  return {
    info: alertInfo,
    rows: alerts,
    async list(tenant) {
      const [all, names] = await Promise.all([alerts.list(tenant), workspaces.lineNames(tenant)])
      return all.map((one) => toAlertRow(one, names, now()))
    },
    async words(alert) {
      const names = await workspaces.lineNames(tenantKey(alert.tenant))
      return { name: alertLine(alert, names), detail: alertDetail(alert, names) }
    },
    changes: alertChanges(),
    async form({ tenant, record, channel }) {
      return alertBlocks({ record, channel, names: await workspaces.lineNames(tenant) })
    },
    read: async (view, _tenant, person) => readAlert(view, person),
    contentOf: toContent,
    async save({ actor, tenant }, draft, { id, before }) {
      const [account, names] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
      const wrongLine = await checkLines(lineList, account, { lines: draft.lines, names }, before)
      if (wrongLine !== undefined) return { errors: { lines: wrongLine } }
      const make = (current?: AlertRecord): AlertRecord => {
        // Waiting calls of the same lines are still posted.
        const isSameLines = current && isDeepStrictEqual(lineKeys(current), lineKeys(draft))
        const since = isSameLines ? current.since : now()
        return { ...current, ...draft, id, tenant: actor.team, owner: actor.person.id, since }
      }
      const record = before ? await alerts.change(tenant, id, make) : await alerts.add(make())
      if (!record) return undefined
      const isSame =
        before !== undefined &&
        before.owner === record.owner &&
        isDeepStrictEqual(toContent(before), toContent(record))
      const { zone } = await workspaces.zone(tenant, record.channel)
      const text = alertSavedText(record, names, zone, now())
      const isPosting = ({ muted }: AlertRecord) => !muted || muted.until !== undefined
      const isTwice = (one: AlertRecord) =>
        one.id !== id && one.channel === record.channel && isPosting(one) && haveSameCalls(one, record)
      const others = isPosting(record) ? await alerts.all(tenant) : []
      return { record, isSame, text: others.some(isTwice) ? text + twiceText : text }
    },
  }
}
