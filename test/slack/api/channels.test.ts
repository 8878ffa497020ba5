import type { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
import { Channels } from '../../../src/slack/api/channels.ts'

it("remembers a channel's state for one workspace, not for its whole organization", async () => {
  const channel = { is_member: true, context_team_id: 'T1' }
  const webApi = { conversations: { info: async () => ({ ok: true, channel }) } } as unknown as WebClient
  const channels = new Channels({ webApi, now: () => 0 })
  const installation = { botToken: 'xoxb-1' }
  const getState = (teamId: string) =>
    channels.getRecentState({ installation, workspace: { enterpriseId: 'E1', teamId } }, 'C1')
  expect([await getState('T1'), await getState('T2')]).toEqual(['ok', 'org-shared'])
})
