import { z } from 'zod'
import type { Services } from '../../services.ts'
import { option, placeText, section, select } from '../../slack/blocks/blocks.ts'
import { Field, Form, time } from '../../slack/forms/form.ts'
import { isMuted } from '../../store/alerts.ts'
import { dayTimeLabel, instantLabel, localDay, type Zone } from '../../time/zones.ts'
import { capitalize, uncapitalize } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import { expectedAt } from './due-times.ts'
import type { SubscriptionKind, SubscriptionRow } from './kind.ts'
import { mutedText } from './mute.ts'
import { placeFields, readPlace } from './place-fields.ts'
import type { ScheduleInfo, ScheduleKind } from './schedule-kind.ts'
import { rhythmTexts, type Schedule, type ScheduleDraft } from './schedule-rows.ts'
import { Scheduler, scheduleText } from './scheduler.ts'

function createScheduleForm({ rhythms }: ScheduleInfo, channel: string, schedule?: ScheduleDraft) {
  const options = rhythms.map((rhythm) => option(capitalize(rhythmTexts[rhythm]), rhythm))
  return new Form({
    ...placeFields(channel),
    rhythm: new Field({
      label: 'Repeat',
      schema: z.enum(rhythms),
      element: (id) => select(id, options, schedule?.rhythm ?? rhythms[0]),
    }),
    time: time('Time', schedule?.time ?? '09:00', { hint: "In the channel's time zone." }),
  })
}

/** For the audit log: `every Monday at 09:00, by line` */
const describeRhythm = ({ rhythm, time: at, by }: ScheduleDraft): string =>
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
    at: expectedAt(schedule, zone) ?? Number.POSITIVE_INFINITY,
    isFailing: stopped !== undefined,
    isOff: stopped !== undefined || isMuted(schedule, now),
    title,
    details: [],
    state: [state, ...(stopped ? [`⚠ Stopped. ${stopped.why}`] : [])],
    line: `${title}: ${stopped ? 'stopped' : state}`,
  }
}

/** Confirms a saved schedule. */
function savedScheduleText(schedule: Schedule, zone: Zone, isNew: boolean, now: EpochMs): string {
  const { muted, due, channel } = schedule
  const isOff = muted && isMuted(schedule, now)
  const muting = isOff ? ` This schedule is still ${uncapitalize(mutedText(muted, zone, now))}.` : ''
  const next = `${isNew ? 'First' : 'Next'} post in ${placeText(channel)}: ${nextText(schedule, zone, now)}.`
  return `Saved.${muting}${due ? ` ${next}` : ''}`
}

const scheduleContent = (one: ScheduleDraft) => [one.channel, describeRhythm(one), ...(one.include ?? [])]

const hasSameTime = (one: ScheduleDraft, other: ScheduleDraft) =>
  one.channel === other.channel && one.rhythm === other.rhythm && one.time === other.time

/** Subscriptions that post on a rhythm. */
export function schedules(
  services: Services,
  kind: ScheduleKind,
): SubscriptionKind<Schedule, ScheduleDraft> & { readonly info: ScheduleInfo } {
  const { workspaces, now } = services
  const { info, schedules: rows } = kind
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
    mute: (schedule, muted) => scheduler.plan({ ...schedule, muted }),
    turnOn: (schedule, owner) => scheduler.plan({ ...schedule, owner, muted: undefined, stopped: undefined }),
    form: async ({ record, channel }) => [
      section(kind.intro),
      ...createScheduleForm(info, channel, record).inputs(),
      ...kind.inputs(record),
    ],
    read(view, author) {
      const { values, errors } = createScheduleForm(info, '').read(view)
      if (!values) return { errors }
      const { rhythm, time: at } = values
      const read = readPlace(values, author)
      if ('errors' in read) return read
      return { draft: { channel: read.place, rhythm, time: at, ...kind.readInputs(view) } }
    },
    getContent: scheduleContent,
    async save(interaction, draft, { id, before }) {
      const { actor, tenant } = interaction
      const own = { id, tenant: actor.team, ...draft, owner: actor.person.id }
      const details = await kind.readDetails(interaction, draft)
      const make = (current?: Schedule) => {
        const changed = { ...current, ...own, ...details, stopped: undefined }
        return current?.due && hasSameTime(current, draft) ? changed : scheduler.plan(changed)
      }
      const record = before ? await rows.change(tenant, id, make) : await make()
      if (!record) return undefined
      if (!before) await rows.set(tenant, id, record)
      const zone = await scheduler.findZone(record)
      return { record, text: savedScheduleText(record, zone, before === undefined, now()) }
    },
    work: scheduler.work(),
  }
}
