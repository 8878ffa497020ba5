import {
  chapter,
  during,
  fail,
  failNext,
  nameLines,
  pass,
  type Row,
  type Step,
  slackFails,
  status,
  type Work,
} from './recorder.ts'
import type { Stage } from './stage.ts'

const hour = 60
const support = { where: 'channel', channel: 'C0SUPPORT1' }
const finance = { where: 'channel', channel: 'C0FINANCE1' }

const watched: Work = (stage) => stage.watch()
/** The app looks for what was missed on the account that has no other calls. */
const miss = (count: number): Step[] => [({ sandbox }) => sandbox.accounts.quiet.missCalls(count), watched]
const missOn = (line: number): Step[] => [
  ({ sandbox: { accounts } }) =>
    accounts.quiet.missCalls(1, { line: accounts.quiet.billing.addOn.numbers[line]?.number }),
  watched,
]
/** An account that has no calls but those that are missed, with an alert in #support. */
const alerted: Step[] = [
  (stage) => stage.connect('', '/calls connect', 'quiet'),
  nameLines('Sales Berlin', 'Support'),
  ['', '/calls alert', {}],
  watched,
]
/** Later than what joins a message, which is seen by a poll that comes in between. */
const apart: Work = async (stage) => {
  for (let n = 0; n < 3; n += 1) await stage.tick(6)
}
const lineOf = (number: string) => ({ text: { type: 'plain_text', text: number }, value: number })

const isMember =
  (is: boolean): Work =>
  (stage) => {
    stage.channel('support').isMember = is
  }

const isShared =
  (is: boolean): Work =>
  (stage) => {
    stage.channel('finance').isExtShared = is
  }
/** It takes long to save it, and then it can't be saved. */
const notSaved = slackFails('conversations.info', { delayMs: 2200, status: 500 })

/** Saves a schedule for #finance. */
const saveBilling = (values: Row[2]): Row => ['', '/billing schedule', { ...finance, ...values }]
const saveReport = (values: Row[2]): Row => ['', '/calls schedule', { ...finance, ...values }]

/** Time goes by until the one schedule, of Mondays at 9:00, is due next. */
function due(stage: Stage, lateMinutes = 0): void {
  const weekMs = 7 * 24 * 3_600_000
  const monday = Date.parse('2026-11-09T08:00:05Z')
  const weeks = Math.max(0, Math.floor((stage.now - monday) / weekMs) + 1)
  stage.pass((monday + weeks * weekMs - stage.now) / 60_000 + lateMinutes)
}

/** The same, once the schedule has its next time. */
const nextDue: Work = async (stage) => {
  await stage.tick(0, 300)
  due(stage)
}
const downUntil = (minutesLate: number): Step[] => [
  (stage) => stage.tick(0, 300),
  (stage) => stage.restart(() => due(stage, minutesLate)),
]

const weekly = { rhythm: 'weekly 1', time: '09:00' }
const perhapsMissing: Step[] = [
  slackFails('chat.postMessage', { cut: true }),
  nextDue,
  ['Told by direct message: perhaps missing', '@ada may be missing'],
]
const skipped: Step[] = [
  ...downUntil(7 * 24 * hour + 25 * hour),
  ['Told by direct message: skipped', '@ada was skipped'],
]

const own = { ...finance, rhythm: 'billing-date', time: '09:00' }

export const subscriptionChapters = [
  chapter('Alerts, and their messages', { isConnected: false }, [
    ...alerted,
    ...missOn(0),
    ['One call', '#support Missed call'],
    apart,
    ...missOn(2),
    ['A line without a name', '#support Missed call'],
    apart,
    ...missOn(0),
    ...missOn(0),
    ['Several calls on one line', '#support 2 missed'],
    apart,
    ...miss(2),
    ['', '#support missed calls'],
    ...miss(2),
    ['Several calls', '#support missed calls'],
    ['Waiting alerts', '/calls open'],
    ['Home with waiting alerts', 'home'],
    ['A waiting alert, taken from the list', 'Waiting alerts > calls.open.take'],
    'Several calls > alert.take',
    ['Taken', 'Several calls ~ Taken by'],
    ['Taken already', 'ben: Several calls > alert.take'],
    ['Taken by the same person', 'Several calls > alert.take'],
    pass(4),
    'ben: Several calls > alert.done',
    ['Taken, and closed by somebody else', 'Several calls ~ Done by'],
    ['Closed already', 'Several calls > alert.done'],
    'Taken, and closed by somebody else > alert.reopen',
    ['Reopened', 'Taken, and closed by somebody else ~ Release'],
    apart,
    ...miss(3),
    ['_closed', '#support 3 missed'],
    '_closed > alert.done',
    ['Closed', '_closed ~ Done by'],
    apart,
    ...miss(512),
    ['A burst', '#support 512 missed'],
    ['Noted, but not shown yet', 'ben: A burst > alert.done', slackFails('chat.update', { status: 500 })],
    ...Array.from({ length: 11 }, () => [apart, ...miss(1)]).flat(),
    ['Many waiting alerts', '/calls open'],
    ['The next page of them', 'Many waiting alerts > calls.open.page.next'],
  ]),
  chapter('Alerts, and their messages', { isConnected: false }, [
    (stage) => stage.connect('', '/calls connect', 'quiet'),
    ['', '/calls alert', { from: '08:00', to: '16:00' }],
    watched,
    ...[4, 5, 4].flatMap((hours) => [pass(hours * hour), ...miss(1)]),
    ['Missed outside the hours', '#support missed calls', pass(4 * hour), watched],
    pass(8 * hour),
    watched,
    ({ sandbox }) => sandbox.accounts.quiet.missCalls(2),
    isMember(false),
    pass(4 * hour),
    watched,
    pass(12 * hour),
    ({ sandbox }) => sandbox.accounts.quiet.missCalls(1),
    isMember(true),
    ['Missed outside the hours, and after a time down', '#support missed calls', watched, pass(5), watched],
  ]),
  chapter('Alerts, and their messages', { isConnected: false }, [
    ...alerted,
    (stage) => {
      stage.channel('support').isArchived = true
    },
    ({ sandbox }) => sandbox.accounts.quiet.missCalls(1),
    ['Told by direct message: its channel is archived', 'later @ada is archived'],
  ]),
  chapter('Alerts, and their messages', { isConnected: false }, [
    ...alerted,
    (stage) =>
      stage.restart(() => {
        stage.sandbox.accounts.quiet.missCalls(12)
        stage.pass(25 * hour)
        stage.sandbox.accounts.quiet.missCalls(3)
        stage.pass(2 * hour)
      }),
    ['After a time down', '#support missed calls', watched],
  ]),
  chapter('Alerts, and their messages', { isConnected: false }, [
    ...alerted,
    ['', '/calls alert', finance],
    watched,
    fail(status(401), 'incoming'),
    ['Told by direct message: the key is refused', "later @ada haven't been checked"],
  ]),
  chapter('Alerts, and their messages', { isConnected: false }, [
    ['', 'ben: /calls alert', {}, (stage) => stage.connect('', '/calls connect', 'quiet')],
    watched,
    (stage) => {
      stage.actor('ben').user.deleted = true
    },
    pass(2),
    ({ sandbox }) => sandbox.accounts.quiet.missCalls(1),
    ['Told by direct message: its owner is out', "later @ada can't see calls"],
  ]),
  chapter('Alerts, and how they are set up', {}, [
    ['None yet', '/calls alerts'],
    ['New alert, where no line has a name', '/calls alert'],
    nameLines('Sales Berlin', 'Support'),
    ['New alert', '/calls alert'],
    ['New alert, no channel chosen yet', 'ada in direct: /calls alert'],
    ['New alert, a channel that is refused', 'New alert', finance, isShared(true)],
    isShared(false),
    ['New alert, without a channel', '/calls alert', { channel: null }],
    [
      'New alert, with mistakes',
      'New alert !',
      { lines: lineOf('+441214960077'), calls: '0', minutes: '0', weekdays: [] },
    ],
    ['Saving | Saving, and it fails on our side', '/calls alert', {}, notSaved],
    ['Saved', '/calls alert', {}],
    ['New alert, the same as another one', '/calls alert', {}, watched],
    ['One, just muted for good', '/calls alerts > Mute until turned on'],
    ['Saved, muted for good', '/calls alerts > Edit…', {}],
    ['One, just turned on', '/calls alerts > Turn on'],
    ['One, just muted', '/calls alerts > Mute for an hour'],
    ['Saved, still muted', '/calls alerts > Edit…', {}],
    ['', '/calls alerts > Turn on'],
    ['Saved, on one line', '/calls alert', { lines: lineOf('+12025550142') }],
    [
      'Saved, several calls and certain hours',
      '/calls alert > calls.alert.new',
      {
        lines: ['+12025550142', '+442079460042'].map(lineOf),
        calls: '3',
        weekdays: ['1', '2', '3', '4', '5'],
        from: '09:00',
        to: '17:00',
      },
    ],
    ['_before', '/calls alerts'],
    ['Several', '/calls alerts'],
    ['Delete?', 'Several > Delete…'],
    ['Deleted', 'Several > Delete…', {}],
    ['One, just deleted', '/calls alerts'],
    ['Already deleted', '_before > Delete…', {}],
    ['Changing one that was deleted', '_before > Edit…'],
    ['Changing an alert', '/calls alerts > Edit…'],
    (stage) =>
      stage.run(
        Array.from(
          { length: 48 },
          (_, n): Row => ['', '/calls alert > calls.alert.new', { calls: String(n + 10) }],
        ),
      ),
    ['As many as fit', '/calls alerts > calls.alert.new'],
    ['A page in the middle', '/calls alerts > calls.alerts.page.next'],
  ]),
  chapter('Alerts, and how they are set up', { isConnected: false }, [
    (stage) => stage.connect('', '/calls connect', 'quiet'),
    ['Saved, for direct messages', '/calls alert', { where: 'direct' }],
    watched,
    ...miss(1),
    ['By direct message', '@ada Missed call'],
  ]),
  chapter('Alerts, and how they are set up', { isConnected: false }, [
    (stage) => stage.connect('', '/calls connect', 'quiet'),
    ['', '/calls alert', {}],
    watched,
    fail(status(401), 'incoming'),
    async (stage) => {
      for (let n = 0; n < 16; n += 1) await stage.tick(1)
    },
    ['One without news', '/calls alerts'],
  ]),
  chapter('Scheduled posts', {}, [
    ['None yet', '/billing schedules'],
    ['New schedule', 'ada in finance: /billing schedule'],
    ['New schedule, no channel chosen yet', 'ada in direct: /billing schedule'],
    ['New schedule, a channel that is refused', 'New schedule', finance, isShared(true)],
    isShared(false),
    ['Saving | Saving, and it fails on our side', 'ada in finance: /billing schedule', own, notSaved],
    ['Saved', 'ada in finance: /billing schedule', own],
    ['', '/calls timezone America/New_York'],
    ['', '/billing schedule', { ...support, rhythm: 'weekly 1', time: '08:30' }],
    saveBilling({ rhythm: 'monthly last' }),
    saveBilling({ rhythm: 'monthly first' }),
    ['Changing a schedule', '/billing schedules > Edit…'],
    ['Saved, changed', 'Changing a schedule', { time: '10:30' }],
    ['One, just muted', '/billing schedules > Mute until tomorrow'],
    ['Several', '/billing schedules'],
    ['_before', '/billing schedules'],
    ['Delete?', '_before > Delete…'],
    ['Deleted', 'Delete?', {}],
    ['Already deleted', '_before > Delete…', {}],
    ['Changing one that was deleted', '_before > Edit…'],
    pass(5),
    ...during(status(503), [
      'Saved, the billing date not known yet',
      'ada in finance: /billing schedule',
      { ...own, time: '11:00' },
    ]),
    ...Array.from({ length: 45 }, (_, n) => {
      const when = {
        rhythm: 'monthly last',
        time: `${10 + Math.floor(n / 12)}:${String(5 * (n % 12)).padStart(2, '0')}`,
      }
      // Slack takes no more a minute.
      return n % 20 === 0 ? [pass(1), saveBilling(when)] : [saveBilling(when)]
    }).flat(),
    ['A page in the middle', '/billing schedules > billing.schedules.page.next'],
    ['As many as fit', '/billing schedules > billing.schedule.new'],
  ]),
  /** What becomes of a post that is due. */
  chapter('Scheduled posts', {}, [
    saveBilling(weekly),
    ['One, just muted for good', '/billing schedules > Mute until turned on'],
    ['Saved, still muted', '/billing schedules > Edit…', {}],
    ['One, just turned on', '/billing schedules > Turn on'],
    ['The post in a channel', '#finance Scheduled by', nextDue],
    ...perhapsMissing,
    ...downUntil(3 * hour),
    ['The post in a channel, late', '#finance Late'],
    ...skipped,
    ['Told by direct message: stopped', '@ada have stopped', failNext(status(401), 'billing'), nextDue],
    ['One that has stopped', '/billing schedules'],
    ['', '/billing schedules > Turn on', pass(5)],
    failNext(status(401), 'billing'),
    slackFails('chat.postMessage', 'messages_tab_disabled'),
    ['Told in the channel, where no direct message arrives: stopped', '#finance have stopped', nextDue],
  ]),
  chapter('Scheduled reports', {}, [
    ['None yet', '/calls schedules'],
    ['New schedule', '/calls schedule'],
    ['Saved, for direct messages', 'ada in direct: /calls schedule', {}],
    ['Saving | Saving, and it fails on our side', '/calls schedule', finance, notSaved],
    pass(5),
    ['Saved', '/calls schedule', finance],
    saveReport({ rhythm: 'weekly 1', by: 'agent' }),
    saveReport({ rhythm: 'monthly first', by: 'hour' }),
    ['One, just muted', '/calls schedules > Mute until tomorrow'],
    ['Changing a schedule', '/calls schedules > Edit…'],
    ['Several', '/calls schedules'],
    ...Array.from({ length: 6 }, (_, n) => saveReport({ rhythm: 'monthly last', time: `1${n}:00` })),
    ['The first page', '/calls schedules'],
    ['Delete?', '/calls schedules > Delete…'],
    ['', '/calls disconnect > setup.disconnect'],
    ['While no account is connected', '/calls schedules'],
  ]),
  chapter('Scheduled reports', {}, [
    saveReport(weekly),
    ['The report in a channel', '#finance Scheduled by', nextDue],
    ...perhapsMissing,
    slackFails('chat.postMessage', 'invalid_blocks'),
    ['The report in a channel, as lines of text', '#finance Scheduled by', nextDue],
    ...downUntil(3 * hour),
    ['The report in a channel, late', '#finance Late'],
    ...skipped,
    ['Told by direct message: stopped', '@ada have stopped', failNext(status(401), 'incoming'), nextDue],
  ]),
]
