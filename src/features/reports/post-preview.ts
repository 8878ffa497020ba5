import type { Answer } from '../../slack/answers/answer.ts'
import { PostMessages, postButtonText } from '../../slack/posting/messages.ts'
import { digestOf, type PreviewSetting, previewOf } from '../../slack/posting/preview.ts'
import { type ReportPost, reportPostActions } from './actions.ts'

/** What a person is told about a report's post. */
export const reportPostMessages = (plan: Pick<ReportPost, 'query' | 'nonce'>): PostMessages =>
  new PostMessages({
    again: (channel, text) => reportPostActions.again.button(text, { ...plan, channel }),
    choose: reportPostActions.channel.button('Choose a channel…', plan.query),
    request: 'the call report',
  })

/** Exactly what would be posted, with buttons to post or discard it. Pure. */
export function previewReport(post: Answer, plan: ReportPost, setting: PreviewSetting): Answer {
  const { send, cancel } = reportPostActions
  const value = { ...plan, digest: digestOf(post.message) }
  return previewOf(post, plan.channel, setting, [
    {
      type: 'actions',
      elements: [
        send.button(postButtonText(setting.channelName), value, 'primary'),
        cancel.button('Discard', plan.query),
      ],
    },
  ])
}
