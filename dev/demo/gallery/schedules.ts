import { hourMs } from '../../../src/util/units.ts'
import { chapter, type Stage } from './stage.ts'

const support = { where: 'channel', channel: 'C0SUPPORT1' }
const finance = { where: 'channel', channel: 'C0FINANCE1' }
const weekly = { ...finance, rhythm: 'weekly 1', time: '09:00' }

/** Moves the clock to the next Monday, 9:00, when the weekly schedule is due. */
async function due(stage: Stage): Promise<void> {
  await stage.tick(0, 300)
  const weekMs = 7 * 24 * hourMs
  const monday = Date.parse('2026-11-09T08:00:05Z')
  const weeks = Math.max(0, Math.floor((stage.now - monday) / weekMs) + 1)
  stage.pass((monday + weeks * weekMs - stage.now) / 60_000)
}

/** Records the list and the form of one kind of schedule. */
async function listAndForm(stage: Stage, noun: string, prefix: string): Promise<void> {
  const { ada } = stage
  const add = async (values: object) => stage.settled(await stage.fillIn(ada, noun, { ...values }))
  await stage.take('None yet', ada.command(`${noun}s`))
  await stage.take('New schedule', ada.open(noun))
  await add({ ...support, rhythm: 'weekly 1' })
  const list = await ada.command(`${noun}s`)
  await stage.take('Delete?', ada.open(list, `${prefix}.menu`, 'delete'))
  for (let n = 0; n < 11; n += 1) await add({ ...finance, rhythm: 'monthly last', time: `${10 + n}:00` })
  await stage.take('First page', ada.command(`${noun}s`))
}

export const scheduleChapters = [
  chapter('Scheduled billing posts', {}, (stage) =>
    listAndForm(stage, '/billing schedule', 'billing.schedule'),
  ),
  chapter('Scheduled reports', {}, (stage) => listAndForm(stage, '/calls schedule', 'calls.schedule')),
  chapter('Scheduled billing posts', {}, async (stage) => {
    const { ada } = stage
    await stage.fillIn(ada, '/billing schedule', weekly)
    await due(stage)
    await stage.take('Posted', stage.posted(stage.channel('finance'), 'Scheduled by'))
  }),
  chapter('Scheduled reports', {}, async (stage) => {
    const { ada } = stage
    await stage.fillIn(ada, '/calls schedule', weekly)
    await due(stage)
    await stage.take('Posted', stage.posted(stage.channel('finance'), 'Scheduled by'))
    stage.sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    await due(stage)
    await stage.take('Stopped', stage.posted(ada, 'have stopped'))
    await stage.take('One that stopped', ada.command('/calls schedules'))
  }),
]
