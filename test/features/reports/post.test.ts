import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { actionsOf, rowsOf } from '../../support/shown.ts'

const app = useApp({ connected: true })
const toChannels = () =>
  app.slack.messages().filter(({ onlyFor, channel }) => !onlyFor && !channel.startsWith('D'))

async function openPost(command = '/calls report') {
  const { member } = app
  const report = await member.command(command)
  const modal = await member.open(report, 'report.more', 'post')
  return { report, modal: await member.sees(modal, 'Preview') }
}

describe('a report for a channel', () => {
  it('is previewed in a modal and posted once, with its chart', async () => {
    const { member, slack } = app
    const { report, modal } = await openPost()
    expect(modal).toShow('Everyone in the channel will see this', 'Call report', 'Posted by member')
    expect(toChannels()).toEqual([])
    expect(await member.submit(modal)).toShow('Posted in', 'View post')
    const [post, ...others] = toChannels()
    expect(others).toEqual([])
    expect(rowsOf(post!)).toEqual(rowsOf(report))
    expect(post?.blocks.map(({ type }) => type)).toContain('data_visualization')
    expect(actionsOf(post!)).toEqual([])
    expect(slack.message(report.ts)).toEqual(report)
    expect(await app.admin.command('/billing audit')).toShow('post report')
  })

  it('is the same reading although calls have come since, and after a restart', async () => {
    const { member, sandbox } = app
    const { report, modal } = await openPost('/calls report by:hour')
    const { lively } = sandbox.accounts
    app.clock.ahead += 60_000
    const like = lively.calls('incoming')[0]!
    lively.addCalls({ ...like, id: 'new', at: new Date(Date.now() + 30_000) })
    await app.restart()
    expect(await member.submit(modal)).toShow('Posted in')
    expect(rowsOf(toChannels()[0]!)).toEqual(rowsOf(report))
  })

  it('is previewed again where its figures have changed', async () => {
    const { member, sandbox } = app
    const { modal } = await openPost('/calls report yesterday by:hour')
    const { lively } = sandbox.accounts
    const like = lively.calls('incoming')[0]!
    lively.addCalls({ ...like, id: 'late', at: new Date(Date.now() - 86_400_000) })
    await app.restart()
    const again = await member.submit(modal)
    expect(again).toShow('The figures have changed. Check the preview again before you post.')
    expect(toChannels()).toEqual([])
    expect(await member.submit(again)).toShow('Posted in')
  })

  it('names its agent, however long the name is: a menu has no room for it', async () => {
    const [agent] = app.sandbox.accounts.lively.agents
    const name = `${agent!.name}, ${'head of the second level of support'.repeat(2)}`.slice(0, 75)
    Object.assign(agent!, { id: `${'0'.repeat(20)}${agent!.id}`, name })
    const { modal } = await openPost('/calls report by:weekday outgoing agent:head of the second')
    expect(modal).toShow(`${name}, call report: `)
    expect(await app.member.submit(modal)).toShow('Posted in')
    expect(toChannels()[0]).toShow(`${name}, call report: `)
  })

  it('is refused in a channel that is shared with another company', async () => {
    const { member, slack } = app
    const { modal } = await openPost()
    const shared = slack.addChannel({ name: 'with-partner', isExtShared: true })
    const refused = await member.submit(modal, { channel: shared.id }, { force: true })
    expect(refused.errors).toEqual({ channel: expect.stringContaining('shared with another company') })
    expect(toChannels()).toEqual([])
  })

  it('can be tried again where the phone service was away', async () => {
    const { member, sandbox } = app
    const report = await member.command('/calls report')
    await app.restart()
    sandbox.faults.always({ kind: 'status', status: 503 })
    const exchange = await member.press(report, 'report.more', 'post')
    const shown = () =>
      [...exchange.messages, ...exchange.views].find((one) =>
        JSON.stringify(one).includes("isn't responding"),
      )
    const away = await app.slack.waitFor(shown, 12_000)
    expect(away).toShow('Try again')
    expect(app.slack.message(report.ts)).toEqual(report)
    sandbox.faults.clear()
    // A new process doesn't leave the service alone for a while.
    await app.restart()
    await member.sees(await member.open(away, 'report.post.channel'), 'Preview')
  })

  it('says so where Slack takes no posts', async () => {
    const { member, slack } = app
    const { modal } = await openPost()
    slack.rateLimitNext('chat.postMessage', 30)
    const refused = await member.submit(modal)
    expect(refused).toShow("Nothing was posted. Slack isn't accepting messages right now.")
  })
})
