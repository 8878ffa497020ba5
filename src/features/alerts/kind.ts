import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import { escapeText, placeText } from '../../slack/blocks/blocks.ts'
import { type AlertRecord, isMuted } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { type LineNames, lineKey } from '../../telephony/lines.ts'
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

const lineKeys = ({ lines }: Pick<AlertRecord, 'lines'>) => lines.map(lineKey).toSorted()

const toContent = (one: AlertRecord | AlertDraft) => ({
  channel: one.channel,
  lines: lineKeys(one),
  threshold: one.threshold ?? null,
  hours: one.hours ?? null,
})

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
  const { muted, threshold, hours, channel } = alert
  const verb = threshold === undefined ? 'is' : 'are'
  const tells = `${escapeText(alertText(alert, names))} ${verb} posted in ${placeText(channel)}`
  const times = hours
    ? ` Hours: ${escapeText(alertTimes(alert, zone))}. Calls missed outside these hours arrive together when they start.`
    : ''
  if (!muted || !isMuted(alert, now)) return `Saved. ${capital(tells)} from now on.${times}`
  const then = muted.until === undefined ? '' : ` After that, ${tells}.${times}`
  return `Saved. This alert is still ${uncapital(mutedText(muted, zone, now))}.${then}`
}

/** Calls that were missed while it was muted are never posted. */
function turnOn({ muted, ...alert }: AlertRecord, owner: string, now: EpochMs): AlertRecord {
  return { ...alert, owner, since: isMuted({ muted }, now) ? now : alert.since }
}

export function missedCallAlerts(services: Services): SubscriptionKind<AlertRecord, AlertDraft> {
  const { workspaces, now } = services
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
      const [names, { zone }] = await Promise.all([
        workspaces.lineNames(tenant),
        workspaces.zone(tenant, record.channel),
      ])
      return { record, isSame, text: alertSavedText(record, names, zone, now()) }
    },
  }
}
