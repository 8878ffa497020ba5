import { lineNames } from '../opening.ts'
import { chapter, type Stage } from './stage.ts'

const lines = ['+12025550142', '+442079460042'].map((value) => ({
  text: { type: 'plain_text', text: value },
  value,
}))

/** Adds an alert for #support. */
async function addAlert(stage: Stage, values = {}): Promise<void> {
  await stage.settled(await stage.fillIn(stage.ada, '/calls alert', values))
  await stage.watch()
}

/** Misses calls of an account without others before the next poll: these counts, each on a line of its own. */
async function miss(stage: Stage, ...counts: readonly number[]): Promise<void> {
  const { quiet } = stage.sandbox.accounts
  for (const [index, count] of counts.entries())
    quiet.missCalls(count, { line: quiet.billing.addOn.numbers[index]?.number })
  await stage.watch()
}

/** Waits until the next missed call starts a new message. */
async function pause(stage: Stage): Promise<void> {
  for (let n = 0; n < 3; n += 1) await stage.tick(6)
}

const countAlerts = ({ slack }: Stage): number =>
  slack.messages().filter(({ text }) => text.includes('missed calls since')).length

export const alertChapters = [
  chapter('Missed-call alerts', { account: 'quiet' }, async (stage) => {
    const { ada, ben } = stage
    const support = stage.channel('support')
    await stage.nameLines(...lineNames.slice(0, 3))
    await addAlert(stage)
    await stage.take('Nothing is waiting', ada.command('/calls open'))
    await miss(stage, 1)
    const one = await stage.take('One call', stage.posted(support, 'Missed call'))
    await pause(stage)
    await miss(stage, 5, 3, 4)
    await stage.take('Several calls', stage.posted(support, '12 missed calls'))
    await pause(stage)
    await miss(stage, 4, 3, 2, 1)
    const burst = await stage.take('A burst on several lines', stage.posted(support, '10 missed calls'))
    await ben.press(burst, 'alert.take-line.0')
    const shared = await stage.take('One line taken', ada.sees(burst, 'has them'))
    await stage.take('Taken in part', ada.click(burst, 'alert.take'))
    await stage.take('Assign to…', ada.open(shared, 'alert.menu', 'assign'))
    const form = await ada.open(shared, 'alert.menu', 'assign')
    await ada.submit(form, { person: [ben.user.id] })
    await stage.take('The channel is told of it', stage.posted(support, 'assigned'))
    await stage.take('Taken, not done', ada.command('/calls taken'))
    await ada.press(await ada.sees(burst, 'Taken by *Ben'), 'alert.menu', 'release')
    await stage.take('Released', ada.sees(burst, 'Released by'))
    await stage.take('The channel is told', stage.posted(support, 'released'))
    await ada.click(burst, 'alert.menu', 'mute-hour')
    const muted = await stage.take('Muted', stage.posted(support, 'muted this alert'))
    await ada.click(muted, 'alert.turn-on')
    await stage.take('Turned on', stage.posted(support, 'turned this alert on'))
    await pause(stage)
    const waiting = await stage.take('Waiting calls', ada.command('/calls open'))
    await stage.take('Report with waiting calls', ada.command('/calls report today'))
    await ada.click(waiting, 'calls.open.take')
    await stage.take('Taken', ada.sees(one, 'Taken by'))
    stage.pass(4)
    await ben.press(one, 'alert.done')
    await stage.take('Done', ada.sees(one, 'Done by'))
  }),
  chapter('Missed-call alerts', { account: 'quiet' }, async (stage) => {
    await addAlert(stage, { where: 'direct' })
    await miss(stage, 1)
    stage.sandbox.faults.always({ kind: 'status', status: 401 })
    for (let n = 0; n < 30; n += 1) await stage.tick(2, 60)
    await stage.take('The key is rejected', stage.posted(stage.ada, "can't be checked"))
    await stage.take('An alert that fails', stage.ada.command('/calls alerts'))
  }),
  chapter('Setting up alerts', {}, async (stage) => {
    const { ada } = stage
    await stage.take('None yet', ada.command('/calls alerts'))
    await stage.nameLines(...lineNames.slice(0, 3))
    const form = await stage.take('New alert', ada.open('/calls alert'))
    const wrong = { lines: lines.slice(0, 1), calls: '0', minutes: '0', weekdays: [] }
    await stage.take('With mistakes', ada.submit(form, wrong, { force: true }))
    const full = { lines, calls: '3', weekdays: ['1', '2', '3', '4', '5'], from: '09:00', to: '17:00' }
    await stage.take('Saved', stage.fillIn(ada, '/calls alert', full))
    const list = await ada.command('/calls alerts')
    await stage.take('Edit an alert', ada.open(list, 'calls.alert.menu', 'edit'))
    await stage.take('Delete?', ada.open(list, 'calls.alert.menu', 'delete'))
    const managers = stage.addChannels()
    for (const manager of managers) {
      await stage.fillIn(manager, '/calls alert')
      await manager.command('/calls timezone Europe/Berlin')
    }
    await stage.take('First page', ada.command('/calls alerts'))
    await stage.watch()
    const { lively } = stage.sandbox.accounts
    for (let round = 0; round < 3; round += 1) {
      const alertCount = countAlerts(stage) + managers.length
      for (const { number } of lively.billing.addOn.numbers) lively.missCalls(1, { line: number })
      await stage.watch()
      await stage.until(() => countAlerts(stage) >= alertCount || undefined, 'an alert of each channel')
      await pause(stage)
    }
    await stage.take('More waiting calls than fit', ada.command('/calls open'))
    await stage.take('Home, many channels and alerts', ada.openHome())
  }),
]
