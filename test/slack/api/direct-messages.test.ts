import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { getActions } from '../../support/shown.ts'

const app = useApp({ connected: true })
const refusal = 'Nothing can be shared or posted in direct messages.'

/** Direct messages, and group messages under the names of Slack's payloads. */
const kinds: readonly [string, Partial<Channel> & { name: string }][] = [
  ['a direct message', { id: 'D0ANNA', name: 'directmessage', isMember: false, directWith: 'U0ANNA' }],
  ['a group of direct messages', { id: 'C0GROUP', name: 'mpdm-admin--member--anna-1', isGroupMessage: true }],
  ['one that the payload calls privategroup', { id: 'G0GROUP', name: 'privategroup', isGroupMessage: true }],
]

describe.each(kinds)('in %s', (_, fields) => {
  it('commands work, except those that need a channel, which say so', async () => {
    const { admin, slack } = app
    const channel = slack.addChannel({ isPrivate: true, ...fields })
    const there = slack.as(admin.user, { channel })
    const list = await there.command('/calls')
    expect(list).toShow('incoming calls')
    const shares = [
      ['calls.share', list, '{"direction":"incoming","page":1}'],
      ['agents.share', await there.command('/agents'), '{"name":"","page":1}'],
    ] as const
    for (const [action_id, message, value] of shares) {
      // Lists have no such button if the payload identifies a direct conversation.
      expect(getActions(message).includes(action_id)).toBe(fields.name === 'privategroup')
      const pressed = { message, user: admin.user, action: { action_id, value } }
      const refused = await (await slack.clickRaw(app.url, pressed)).waitForMessage(5000)
      expect(refused).toShow(refusal)
      expect(refused).not.toShow('/invite', 'Invite')
    }
    const modal = await there.open('/billing post')
    const { errors } = await there.submit(modal, { channel: channel.id }, { force: true })
    expect(errors['channel']).toContain(refusal)
    expect(errors['channel']).not.toMatch(/invite/i)
    expect(slack.messages().filter(({ onlyFor }) => onlyFor === undefined)).toEqual([])
  })
})

it("doesn't ask Slack about a direct message, and doesn't offer it for a schedule", async () => {
  const { admin, slack } = app
  const channel = slack.addChannel({ id: 'D0ANNA', name: 'directmessage', directWith: 'U0ANNA' })
  const there = slack.as(admin.user, { channel })
  const modal = await there.open('/billing post')
  expect(JSON.stringify(modal)).not.toContain('initial_conversation')
  await there.submit(modal, { channel: channel.id }, { force: true })
  expect(slack.callsTo('conversations.info')).toEqual([])
  expect(JSON.stringify(await there.open('/billing schedule'))).not.toContain('initial_conversation')
})
