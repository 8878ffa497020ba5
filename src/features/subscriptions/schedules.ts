import { z } from 'zod'
import type { Services } from '../../services.ts'
import { option, placeText, select } from '../../slack/blocks/blocks.ts'
import { Field, Form, time } from '../../slack/forms/form.ts'
import { isMuted } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { dayTimeLabel, instantLabel, localDay, type Zone } from '../../time/zones.ts'
import { capitalize } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import type { SubscriptionKind, SubscriptionRow } from './kind.ts'
import { rhythmTexts, type Schedule, type ScheduleKind, type ScheduleOptions } from './schedule.ts'
import { Scheduler, scheduleText } from './scheduler.ts'
import { mutedText, stillMutedText } from './view.ts'

function createScheduleForm({ info: { rhythms }, fields }: ScheduleKind, schedule?: Schedule) {
  const options = rhythms.map((rhythm) => option(capitalize(rhythmTexts[rhythm]), rhythm))
  return new Form({
    rhythm: new Field({
      label: 'Repeat',
      schema: z.enum(rhythms),
      element: (id) => select(id, options, schedule?.rhythm ?? rhythms[0]),
    }),
    time: time('Time', schedule?.time ?? '09:00', { hint: "In the channel's time zone." }),
    ...fields(schedule),
  })
}

/** For the audit log: `every Monday at 09:00, by line` */
const describeRhythm = ({ rhythm, time: at, by }: ScheduleOptions): string =>
  `${rhythmTexts[rhythm]} at ${at}${by === undefined ? '' : `, by ${by}`}`

/** `15 Dec, 09:00`, the time of the next post. */
function nextText({ rhythm, time: at, due, billingDay }: Schedule, zone: Zone, now: EpochMs): string {
  if (!due) return 'not planned'
  if (rhythm !== 'billing-date') return instantLabel(zone, new Date(due.at), new Date(now))
  const isAhead = billingDay !== undefined && billingDay >= due.day
  return isAhead ? dayTimeLabel(billingDay, at, localDay(zone, new Date(now))) : `on the billing date, ${at}`
}

export function toScheduleRow(schedule: Schedule, zone: Zone, now: EpochMs): SubscriptionRow {
  const { id, owner, stopped, due, muted } = schedule
  const title = scheduleText(schedule, zone)
  const state = [
    ...(muted && isMuted(schedule, now) ? [`${mutedText(muted, zone, now)} by <@${muted.by}>`] : []),
    ...(due ? [`Next: ${nextText(schedule, zone, now)}`] : []),
    `Scheduled by <@${owner}>`,
  ].join(' · ')
  return {
    id,
    owner,
    at: due?.at ?? Number.POSITIVE_INFINITY,
    isFailing: stopped !== undefined,
    isOff: stopped !== undefined || isMuted(schedule, now),
    title,
    details: [],
    state: [state, ...(stopped ? [`⚠ Stopped. ${stopped.why}`] : [])],
    line: `${title}: ${stopped ? 'stopped' : state}`,
  }
}

/** Subscriptions that post on a rhythm. */
export function schedules(
  services: Services,
  kind: ScheduleKind,
): SubscriptionKind<Schedule, ScheduleOptions> {
  const { workspaces, now } = services
  const { info, rows } = kind
  const scheduler = new Scheduler(services, kind)
  workspaces.on('zone', (tenant) => scheduler.followZones(tenant))
  workspaces.on('connect', (tenant) => scheduler.followConnection(tenant))

  return {
    info,
    rows,
    async list(tenant) {
      const all = (await rows.all(tenant)).map(async (schedule) =>
        toScheduleRow(schedule, await scheduler.findZone(schedule), now()),
      )
      return Promise.all(all)
    },
    words: async (schedule) => ({
      name: `${placeText(schedule.channel)}, ${rhythmTexts[schedule.rhythm]}`,
      detail: describeRhythm(schedule),
    }),
    inputs: async (_, record) => createScheduleForm(kind, record).inputs(),
    read(view) {
      const { values, errors } = createScheduleForm(kind).read(view)
      return values ? { options: values } : { errors }
    },
    getContent: (one) => [describeRhythm(one), ...(one.include ?? [])],
    async make(draft, before) {
      const details = await kind.readDetails?.(tenantKey(draft.tenant), draft)
      const changed = { ...before, ...draft, ...details, stopped: undefined }
      const hasSameTime =
        before?.channel === draft.channel && before.rhythm === draft.rhythm && before.time === draft.time
      return before?.due && hasSameTime ? changed : scheduler.plan(changed)
    },
    mute: (schedule, muted) => scheduler.plan({ ...schedule, muted }),
    turnOn: (schedule, owner) => scheduler.plan({ ...schedule, owner, muted: undefined, stopped: undefined }),
    async savedText(schedule, isNew) {
      const zone = await scheduler.findZone(schedule)
      const muting = stillMutedText(info, schedule, zone, now())
      const next = `${isNew ? 'First' : 'Next'} post in ${placeText(schedule.channel)}: ${nextText(schedule, zone, now())}.`
      return `Saved.${muting}${schedule.due ? ` ${next}` : ''}`
    },
    work: scheduler.work(),
  }
}
