import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import { escapeText, placeText } from '../../slack/blocks/blocks.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { type AlertRecord, isMuted } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { type LineList, type LineNames, lineKey } from '../../telephony/lines.ts'
import type { Account } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { capital, uncapital } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import {
  type SubscriptionInfo,
  type SubscriptionKind,
  type SubscriptionRow,
  subscriptionActions,
} from '../subscriptions/kind.ts'
import { mutedText } from '../subscriptions/mute.ts'
import { Alerts, type AlertWithState } from './alerts.ts'
import { type AlertDraft, alertBlocks, readAlert } from './form.ts'
import { alertDetail, alertLine, alertState, alertText, alertTimes } from './words.ts'

export const alertInfo: SubscriptionInfo = {
  needs: 'calls',
  command: 'calls',
  word: 'alert',
  longWord: 'missed-call alert',
  form: 'calls.alert',
  title: 'Missed-call alert',
  actions: subscriptionActions('calls.alert'),
  audit: 'alert',
  consequence: "It won't post missed calls there any more.",
  meanwhile: "Calls missed meanwhile aren't posted.",
  list: {
    title: 'Missed-call alerts',
    perPage: 4,
    none: 'No missed-call alerts yet. An alert posts in a channel when a call is missed, and shows who takes it.',
    hint: "Times are in each channel's time zone, and in the workspace's for direct messages.",
    button: { id: 'alerts', text: 'All alerts' },
  },
}

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

export function toAlertRow(one: AlertWithState, names: LineNames, now: EpochMs): SubscriptionRow {
  const { alert, zone, failing } = one
  const [title, state] = [alertLine(alert, names), alertState(one, now)]
  return {
    id: alert.id,
    owner: alert.owner,
    at: 0,
    isFailing: failing !== undefined,
    isOff: isMuted(alert, now),
    title,
    details: [`${escapeText(alertTimes(alert, zone))} · Set up by <@${alert.owner}>`],
    state: [state],
    line: `${title}: ${state}`,
  }
}

/** Confirms a saved alert. mrkdwn. */
function alertSavedText(alert: AlertRecord, names: LineNames, zone: Zone, now: EpochMs): string {
  const where = placeText(alert.channel)
  const what = escapeText(alertText(alert, names))
  const tells = `${what} ${alert.threshold === undefined ? 'is' : 'are'} posted in ${where}`
  const hours =
    alert.hours === undefined
      ? ''
      : ` Hours: ${escapeText(alertTimes(alert, zone))}. Calls missed outside these hours arrive together when they start.`
  const { muted } = alert
  if (!muted || !isMuted(alert, now)) return `Saved. ${capital(tells)} from now on.${hours}`
  const muting = uncapital(mutedText(muted, zone, now))
  return `Saved. This alert is still ${muting}.${muted.until === undefined ? '' : ` After that, ${tells}.${hours}`}`
}

/** Calls that were missed while it was muted are never posted. */
function turnOn({ muted, ...alert }: AlertRecord, owner: string, now: EpochMs): AlertRecord {
  return { ...alert, owner, since: isMuted({ muted }, now) ? now : alert.since }
}

export function missedCallAlerts(services: Services): SubscriptionKind<AlertRecord, AlertDraft> {
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
    mute: (alert, muted) => ({ ...alert, muted }),
    turnOn: (alert, owner) => turnOn(alert, owner, now()),
    async form({ tenant, record, channel }) {
      return alertBlocks({ record, channel, names: await workspaces.lineNames(tenant) })
    },
    read: readAlert,
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
