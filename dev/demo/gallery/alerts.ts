import type { Chapter, Recorder } from './recorder.ts'
import { hourMs, minuteMs, refusal } from './stage.ts'

const everyDay = ['1', '2', '3', '4', '5', '6', '7']

/** A stage whose account has no calls but those that are missed on it, with an alert in #support. */
async function watch(stage: Recorder, values: Parameters<Recorder['submit']>[2] = {}): Promise<void> {
  await stage.connect(stage.sandbox.accounts.quiet)
  await stage.nameLines('Sales Berlin', 'Support')
  await stage.send(await stage.ada.open('/calls alert'), values)
  await stage.looked()
}

/** Later than what joins a message, which is seen by a look that comes in between. */
async function apart(stage: Recorder): Promise<void> {
  for (let n = 0; n < 3; n += 1) await stage.tick(6 * minuteMs)
}

const miss = ({ sandbox }: Recorder, count: number) => sandbox.accounts.quiet.missCalls(count)
const lineOf = ({ sandbox }: Recorder, index: number) =>
  sandbox.accounts.quiet.billing.addOn.numbers[index]?.number ?? ''

export const alerts: Chapter = {
  feature: 'Alerts, and their messages',
  isConnected: false,
  async play(stage) {
    const { slack, sandbox, ada, ben, support } = stage
    await watch(stage)
    sandbox.accounts.quiet.missCalls(1, { line: lineOf(stage, 0) })
    await stage.watch()
    await stage.posted('One call', support, 'Missed call')
    await apart(stage)
    sandbox.accounts.quiet.missCalls(1, { line: lineOf(stage, 2) })
    await stage.watch()
    await stage.posted('A line without a name', support, 'Missed call')
    await apart(stage)
    slack.failNext('chat.postMessage', refusal('invalid_blocks'))
    miss(stage, 1)
    await stage.watch()
    await stage.posted('One call, as lines of text', support, 'Missed call')
    await apart(stage)
    miss(stage, 4)
    await stage.watch()
    await stage.posted('Several calls, as lines of text', support, '4 missed')
    // Tables are tried again after a while.
    stage.pass(2 * hourMs)
    for (let n = 0; n < 2; n += 1) {
      miss(stage, 2)
      await stage.watch()
      await stage.posted('', support, 'missed calls')
    }
    const several = slack.messages({ channel: support }).at(-1)
    if (!several) return
    stage.take('Several calls', several)
    await ada.press(several, 'alert.take')
    await stage.sees('Taken', several, 'Taken by')
    await stage.press('Taken already', [several, 'alert.take'], ben)
    await stage.press('Taken by the same person', [several, 'alert.take'])
    stage.pass(4 * minuteMs)
    await ben.press(several, 'alert.done')
    await stage.sees('Taken, and closed by somebody else', several, 'Done by')
    await stage.press('Closed already', [several, 'alert.done'])
    await apart(stage)
    miss(stage, 3)
    await stage.watch()
    const closed = await stage.posted('', support, '3 missed')
    await ada.press(closed, 'alert.done')
    await stage.sees('Closed', closed, 'Done by')
    await apart(stage)
    miss(stage, 512)
    await stage.watch()
    const burst = await stage.posted('A burst', support, '512 missed')
    slack.failNext('chat.update', { status: 500 })
    await stage.press('Noted, but not shown yet', [burst, 'alert.done'], ben)
  },
}

export const lateAlerts: Chapter = {
  feature: 'Alerts, and their messages',
  isConnected: false,
  async play(stage) {
    const { sandbox, ada, support } = stage
    await stage.connect(sandbox.accounts.quiet)
    const form = await ada.open(await ada.open('/calls alert'), 'calls.alert.hours', 'chosen')
    await stage.send(form, { weekdays: everyDay, from: '08:00', to: '16:00' })
    await stage.looked()
    for (const hours of [4, 5, 4]) {
      stage.pass(hours * hourMs)
      miss(stage, 1)
      await stage.watch()
    }
    stage.pass(4 * hourMs)
    await stage.watch()
    await stage.posted('Missed outside the hours', support, 'missed calls')
    stage.pass(8 * hourMs)
    await stage.watch()
    miss(stage, 2)
    support.isMember = false
    stage.pass(4 * hourMs)
    await stage.watch()
    stage.pass(12 * hourMs)
    miss(stage, 1)
    support.isMember = true
    await stage.watch()
    stage.pass(5 * minuteMs)
    await stage.watch()
    await stage.posted('Missed outside the hours, and after a time down', support, 'missed calls')
  },
}

export const undelivered: Chapter = {
  feature: 'Alerts, and their messages',
  isConnected: false,
  async play(stage) {
    const { ada, support } = stage
    await watch(stage)
    support.isArchived = true
    miss(stage, 1)
    await stage.tell('Told by direct message: its channel is archived', ada, 'is archived')
  },
}

export const alertsAfterDown: Chapter = {
  feature: 'Alerts, and their messages',
  isConnected: false,
  async play(stage) {
    const { sandbox, support } = stage
    await watch(stage)
    await stage.restart(() => {
      miss(stage, 12)
      stage.pass(25 * hourMs)
      sandbox.accounts.quiet.missCalls(3)
      stage.pass(2 * hourMs)
    })
    await stage.watch()
    await stage.posted('After a time down', support, '3 missed')
  },
}

export const alertsWithoutNews: Chapter = {
  feature: 'Alerts, and their messages',
  isConnected: false,
  async play(stage) {
    const { sandbox, ada, finance } = stage
    await watch(stage)
    await stage.send(await ada.open('/calls alert'), { channel: finance.id })
    await stage.watch()
    sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    await stage.tell('Told by direct message: the key is refused', ada, "couldn't check")
  },
}

export const ownerOut: Chapter = {
  feature: 'Alerts, and their messages',
  isConnected: false,
  async play(stage) {
    const { sandbox, ada, ben } = stage
    await stage.connect(sandbox.accounts.quiet)
    await stage.send(await ben.open('/calls alert'), {}, ben)
    await stage.looked()
    ben.user.deleted = true
    stage.pass(2 * minuteMs)
    miss(stage, 1)
    await stage.tell('Told by direct message: its owner is out', ada, "can't see calls")
  },
}

export const alertForms: Chapter = {
  feature: 'Alerts, and how they are set up',
  async play(stage) {
    const { slack, ada, finance, lively } = stage
    const [first = '', second = ''] = lively.billing.addOn.numbers.map(({ number }) => number)
    await stage.say('None yet', '/calls alerts')
    await stage.open('New alert, where no line has a name', '/calls alert')
    await stage.nameLines('Sales Berlin', 'Support')
    const form = await stage.open('New alert', '/calls alert')
    const direct = await stage.directOf(ada)
    await stage.open('New alert, no channel chosen yet', '/calls alert', direct)
    finance.isExtShared = true
    await stage.submit('New alert, a channel that is refused', form, { channel: finance.id })
    finance.isExtShared = false
    const asked = await ada.open(
      await ada.open(form, 'calls.alert.when', 'several'),
      'calls.alert.hours',
      'chosen',
    )
    await stage.settled('New alert, several calls and certain hours', asked)
    const gone = { text: { type: 'plain_text', text: 'Somebody' }, value: '999999' }
    const mistakes = { numbers: 'the warehouse', agents: gone, calls: '1', minutes: '0', weekdays: [] }
    await stage.submitAnyway('New alert, with mistakes', asked, mistakes)
    const numbers = Array.from({ length: 61 }, (_, index) => `+4930555010${index + 10}`).join(', ')
    const agent = (await ada.suggest(form, 'calls.agent', ''))[0]
    await stage.submitAnyway('New alert, too many lines', form, { numbers })
    slack.failNext('conversations.info', { delayMs: 2200, status: 500 })
    await stage.submitSlowly(['Saving', 'Saving, and it fails on our side'], await ada.open('/calls alert'))
    await stage.submit('Saved', await ada.open('/calls alert'))
    await stage.looked()
    await stage.submit('New alert, the same as another one', await ada.open('/calls alert'))
    const list = await stage.say('', '/calls alerts')
    await stage.press('One, just paused', [list, 'calls.alert.pause'])
    const edit = await stage.ada.open(await stage.say('', '/calls alerts'), 'calls.alert.edit')
    await stage.submit('Saved, still paused', edit)
    await stage.press('One, just resumed', [await stage.say('', '/calls alerts'), 'calls.alert.resume'])
    await stage.press('One, just muted', [await stage.say('', '/calls alerts'), 'Mute for an hour'])
    await stage.submit(
      'Saved, still muted',
      await ada.open(await stage.say('', '/calls alerts'), 'calls.alert.edit'),
    )
    await stage.press('One, just unmuted', [await stage.say('', '/calls alerts'), 'calls.alert.unmute'])
    await stage.submit('Saved, on one line', await ada.open('/calls alert'), { numbers: first })
    const several = await ada.open(await ada.open('/calls alert'), 'calls.alert.when', 'several')
    const inHours = await ada.open(several, 'calls.alert.hours', 'chosen')
    const values = { numbers: `${first}, ${second}`, ...(agent ? { agents: agent } : {}) }
    await stage.submit('Saved, several calls and certain hours', inHours, values)
    await stage.say('Several', '/calls alerts')
    const all = await stage.say('', '/calls alerts')
    await stage.press('One, just deleted', [all, 'Delete alert…'])
    await stage.press('Already deleted', [all, 'Delete alert…'])
    await stage.open('Changing one that was deleted', [all, 'calls.alert.edit'])
    await stage.open('Changing an alert', [await stage.say('', '/calls alerts'), 'calls.alert.edit'])
    const kept = 50 - 2
    for (let n = 0; n < kept; n += 1)
      await stage.send(await ada.open('/calls alert'), {
        numbers: `+49 30 5550 1${String(n).padStart(3, '0')}`,
      })
    await stage.open('As many as fit', '/calls alert')
    await stage.press('A page in the middle', [
      await stage.say('', '/calls alerts'),
      'calls.alerts.page.next',
    ])
  },
}

export const stalledAlerts: Chapter = {
  feature: 'Alerts, and how they are set up',
  isConnected: false,
  async play(stage) {
    const { sandbox, ada } = stage
    await stage.connect(sandbox.accounts.quiet)
    sandbox.faults.always({ kind: 'delay', ms: 1500 }, { operation: 'incoming' })
    await stage.send(await ada.open('/calls alert'))
    await stage.say('One that has not looked yet', '/calls alerts')
    sandbox.faults.clear()
    await stage.looked()
    await stage.until(
      () => (sandbox.requests.entries('incoming').at(-1)?.status === 200 ? true : undefined),
      'a look',
    )
    sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    for (let n = 0; n < 16; n += 1) await stage.tick()
    await stage.say('One without news', '/calls alerts')
  },
}
