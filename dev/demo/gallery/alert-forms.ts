import type { AlertWithState } from '../../../src/alerts/alerts.ts'
import { agentGone, agentsUnknown } from '../../../src/features/alerts/chosen-agents.ts'
import { alertModal, type Choices, notANumber, tooManyLines } from '../../../src/features/alerts/form.ts'
import { notice, slow } from '../../../src/features/alerts/form-routes.ts'
import {
  alertsMessage,
  deletedNote,
  full,
  mutedNote,
  notFound,
  pausedNote,
  resumedNote,
  savedText,
  thereAlready,
  unmutedNote,
} from '../../../src/features/alerts/list.ts'
import { describeFailure, plainChannelRefusal } from '../../../src/slack/deliver/failures.ts'
import type { AlertRecord } from '../../../src/store/alerts.ts'
import { CredentialsRejectedError } from '../../../src/telephony/errors.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import { type FeatureSample, message, modal, slowModals } from './sample.ts'
import { ada, ben, finance, inHours, nonce, now, support, team, zone, zoneOf } from './setting.ts'

const names = new LineNames([
  { number: '+493055501000', name: 'Sales Berlin' },
  { number: '+493055501037', name: 'Support' },
])

/** One that is kept now. */
const alert = (id: string, more: Partial<AlertRecord> = {}): AlertRecord => ({
  id,
  tenant: team,
  channel: support,
  owner: ada,
  since: inHours(-48).getTime(),
  lines: [],
  agents: [],
  isPaused: false,
  ...more,
})

const withState = (one: AlertRecord, more: Partial<AlertWithState> = {}): AlertWithState => ({
  alert: one,
  zone,
  lookedAt: inHours(-0.01).getTime(),
  postedAt: inHours(-3).getTime(),
  trouble: undefined,
  ...more,
})

const each = alert('A1')
const sales = alert('A2', {
  lines: ['+493055501000', '+442079460042'],
  agents: [{ id: '1001', name: 'Anna Smith' }],
  threshold: { calls: 3, minutes: 10 },
  hours: { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' },
  owner: ben,
})
const atNight = alert('A3', {
  channel: finance,
  hours: { weekdays: [5, 6, 7], from: '22:00', to: '06:00' },
})
const muted = alert('A4', { mutedUntil: inHours(1).getTime(), mutedBy: ben })
const paused = alert('A5', { lines: ['+493055501037'], isPaused: true, pausedBy: ben })
const why = describeFailure(new CredentialsRejectedError('incoming')).pauseText

const several = [
  withState(each),
  withState(sales, { zone: zoneOf('America/New_York') }),
  withState(muted),
  withState(paused),
]
const many = Array.from({ length: 14 }, (_, index) =>
  withState(alert(`M${index}`, { threshold: { calls: index + 2, minutes: 10 } })),
)

const list = (alerts: readonly AlertWithState[], note?: string, page = 1) =>
  alertsMessage(alerts, names, { page, now, nonce, note })
const form = (one: AlertRecord | undefined, choices: Choices = {}, own = names) =>
  alertModal(
    {
      team,
      openedIn: support,
      here: choices.channel ?? support,
      zone: choices.channel === '' ? undefined : zone,
      names: own,
      alert: one,
      list: undefined,
    },
    choices,
  )
const saved = (one: AlertRecord) => notice(savedText(one, names, zone, now))

export const alertForms: readonly FeatureSample[] = [
  message('Several', list(several)),
  message('A page in the middle', list(many, undefined, 2)),
  message('None yet', list([])),
  message(
    'One that has not looked yet',
    list([withState(each, { lookedAt: undefined, postedAt: undefined })]),
  ),
  message(
    'One without news',
    list([withState(atNight, { trouble: { since: inHours(-4.5).getTime(), why } })]),
  ),
  message('One, just paused', list([withState(paused)], pausedNote(paused, names))),
  message('One, just resumed', list([withState(sales)], resumedNote(sales, names))),
  message('One, just muted', list([withState(muted)], mutedNote(muted, names, zone, now))),
  message('One, just unmuted', list([withState(each)], unmutedNote(each, names))),
  message('One, just deleted', list([withState(each)], deletedNote(sales, names))),
  message('Already deleted', list([withState(each)], notFound)),
  modal('New alert', form(undefined)),
  modal('New alert, where no line has a name', form(undefined, {}, LineNames.none)),
  modal('New alert, no channel chosen yet', form(undefined, { channel: '' })),
  modal('New alert, a channel that is refused', form(undefined), { channel: plainChannelRefusal('shared') }),
  modal('New alert, the same as another one', form(undefined), { channel: thereAlready }),
  modal('New alert, several calls and certain hours', form(undefined, { when: 'several', hours: 'chosen' })),
  modal('New alert, with mistakes', form(undefined, { when: 'several', hours: 'chosen' }), {
    numbers: notANumber('the warehouse'),
    agents: agentGone,
    calls: 'Write a whole number from 2 to 100.',
    minutes: 'Write a whole number from 1 to 60.',
    weekdays: 'Choose at least one day.',
  }),
  modal('New alert, too many lines', form(undefined), { numbers: tooManyLines, agents: agentsUnknown }),
  modal('Changing an alert', form(sales)),
  ...slowModals('Saving', slow),
  modal('Saved', saved(each)),
  modal('Saved, on one line', saved(alert('A6', { lines: ['+493055501000'] }))),
  modal('Saved, several calls and certain hours', saved(sales)),
  modal('Saved, still paused', saved(paused)),
  modal('Saved, still muted', saved(muted)),
  modal('As many as fit', notice(full)),
  modal('Changing one that was deleted', notice(notFound)),
]
