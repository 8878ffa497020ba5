import { describe, expect, it } from 'vitest'
import { exportQueues, findQueue } from '../../../src/features/export/exports.ts'
import { useApp } from '../../support/app.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'
import { direct, getFiles, holdPages } from './exports.ts'

it('never keeps more than 140 MB of files', () => {
  expect([findQueue({}).maxBytes, findQueue({ total: 25_001 }).maxBytes]).toEqual([40_000_000, 40_000_000])
  expect(findQueue({ total: 25_000 }).maxBytes).toBe(5_000_000)
  let bytes = 0
  for (const { concurrency, maxBytes } of exportQueues) bytes += concurrency * maxBytes
  expect(bytes).toBe(140_000_000)
})

describe('an export of more than 25,000 calls', () => {
  const app = useApp({ connected: true })

  it('waits for another one of its workspace, and short exports wait for neither', async () => {
    const { member, sandbox, slack } = app
    sandbox.requests.clear()
    const operation = { operation: 'outgoing' } as const
    const exportLong = async (words: string) => {
      sandbox.faults.next({ kind: 'set', envelope: { total_record: '25001' } }, operation)
      expect(await member.command(`/calls export ${words}`)).toShow('Exporting ')
    }
    const release = await holdPages(sandbox, () => exportLong('outgoing'), 'outgoing')
    sandbox.faults.next({ kind: 'delay', ms: 0 }, operation)
    await exportLong('outgoing missed')
    await member.command('/calls export')
    await direct(slack, member, 'Here are')
    // The second export has only asked for the number of its calls. The first one may be tried again.
    const ofSecond = sandbox.requests.entries('outgoing').filter(({ params }) => params['status'])
    expect(ofSecond).toHaveLength(1)
    release()
    await expect.poll(() => getFiles(slack, member).length).toBe(3)
  })
})

describe('a short export', () => {
  const app = useApp({ connected: true, calls: 4000 })

  it('ends without a file at 5 MB', async () => {
    const fields = ['DID number', 'Date Time', 'Status', 'Cost', 'Answered']
    const record = Object.fromEntries(fields.map((field) => [field, '电'.repeat(200)]))
    app.sandbox.faults.always({ kind: 'set', record })
    await app.member.command('/calls export')
    await direct(app.slack, app.member, "That's too much for one file. Choose fewer days")
    expect(app.slack.files).toEqual([])
  })
})

describe('with three other workspaces that export slowly', () => {
  const app = useApp(withOAuth)

  it('an export arrives as usual', async () => {
    const { slack, sandbox } = app
    for (let n = 0; n < 3; n++) {
      const { admin } = await installTeam(slack)
      await app.connect(sandbox.accounts.lively, admin)
      for (const words of ['missed', 'answered']) {
        slack.failNext('upload', { hang: true })
        await admin.command(`/calls export ${words}`)
      }
    }
    await expect.poll(() => slack.callsTo('upload').length).toBe(6)
    const { admin } = await installTeam(slack)
    await app.connect(sandbox.accounts.lively, admin)
    await admin.command('/calls export outgoing')
    await direct(slack, admin, 'Here are')
  })
})
