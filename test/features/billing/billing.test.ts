import { describe, expect, it } from 'vitest'
import type { Message, User } from '../../../dev/slack/slack.ts'
import { useHouse } from '../../support/app.ts'

const house = useHouse()
const textOf = (message: Message) => JSON.stringify([message.text, message.blocks])
const billing = async (text = '', user?: User, command = '/billing') => {
  const { say, slack } = house()
  return (await say(text, user ?? slack.people.admin, command)).waitForMessage()
}

describe('/billing', () => {
  it('shows plan, add-ons, payment, next date and total, and that they add up', async () => {
    const { connect } = house()
    await connect()
    const text = textOf(await billing())
    for (const part of [
      'Business Plus',
      '424242******4242',
      '$500.00',
      'Normal',
      'Germany',
      'add up to $',
      'in ',
    ]) {
      expect(text, part).toContain(part)
    }
    expect(text).toMatch(/\d{1,2} [A-Z][a-z]{2} \d{4}, (in \d+ days?|today)/)
    expect(textOf(await billing('', undefined, '/callboard billing'.split(' ')[0]))).toContain('Callboard')
    expect(textOf(await billing('billing', undefined, '/callboard'))).toContain('Business Plus')
  })

  it('points a difference out', async () => {
    const { connect, sandbox } = house()
    await connect(sandbox.accounts.quiet)
    expect(textOf(await billing())).toContain('a difference of £0.45')
  })

  it('names what it does not understand, and helps', async () => {
    const { connect, sandbox } = house()
    await connect()
    sandbox.requests.clear()
    expect(textOf(await billing('now'))).toContain('is not understood')
    expect(textOf(await billing('help'))).toContain('/billing settings')
    expect(sandbox.requests.count()).toBe(0)
  })

  it('apologizes where the service fails, with a way to try again', async () => {
    const { connect, click, sandbox, slack } = house()
    await connect()
    sandbox.faults.next({ kind: 'html' }, { times: 3, operation: 'billing' })
    const failed = await billing()
    expect(textOf(failed)).toContain('unavailable')
    expect(textOf(await click(failed, 'billing.refresh', slack.people.admin))).toContain('Business Plus')
  })
})

describe('who may see what', () => {
  async function save(rules: Record<string, { who: string; people?: readonly string[] }>) {
    const { slack, url, say } = house()
    const view = await (await say('settings', slack.people.admin, '/billing')).waitForView()
    const values = Object.fromEntries(
      Object.entries(rules).flatMap(([area, { who, people }]) => [
        [area, who],
        [`${area}.people`, people ?? null],
      ]),
    )
    return slack.submit(url, { view, values, user: slack.people.admin })
  }

  it('is admins and the person who connected for billing, everyone for the rest', async () => {
    const { connect, ask, slack } = house()
    await connect()
    expect(textOf(await billing('', slack.people.member))).toContain(
      'give you access with `/billing settings`',
    )
    expect(textOf(await billing('', slack.people.owner))).toContain('Business Plus')
    expect(textOf(await ask(''))).toContain('Page 1 of')
    expect(textOf(await billing('settings', slack.people.member))).toContain('Only admins and owners')
    expect(textOf(await billing('audit', slack.people.member))).toContain('Only admins and owners')
  })

  it('is changed by an admin, at once, for buttons that are there already too', async () => {
    const { connect, ask, click, slack } = house()
    await connect()
    const before = await ask('')
    const wrong = await save({ billing: { who: 'people' } })
    expect(wrong.ackBody).toMatchObject({ errors: { 'billing.people': expect.any(String) } })
    await save({ calls: { who: 'admins' }, billing: { who: 'people', people: [slack.people.member.id] } })
    expect(textOf(await billing('', slack.people.member))).toContain('Business Plus')
    expect(textOf(await ask(''))).toContain('Calls are not shown to everyone')
    expect(textOf(await click(before, 'calls.page.next'))).toContain('Calls are not shown to everyone')
    expect(textOf(await ask('', slack.people.admin))).toContain('Page 1 of')
    expect(textOf(await billing('audit'))).toContain(
      'settings, calls admins, agents everyone, billing 1 people',
    )
    await save({ calls: { who: 'everyone' } })
    expect(textOf(await ask(''))).toContain('Page 1 of')
  })

  it('is nothing for guests, whatever the rules say', async () => {
    const { connect, slack } = house()
    await connect()
    await save({ billing: { who: 'everyone' } })
    expect(textOf(await billing('', slack.people.guest))).toContain('full members')
    expect(textOf(await billing('', slack.people.member))).toContain('Business Plus')
  })
})
