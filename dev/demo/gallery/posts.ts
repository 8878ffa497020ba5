import type { Extra, PostPlan } from '../../../src/features/billing/actions.ts'
import { postOf, previewMessage } from '../../../src/features/billing/post-preview.ts'
import { noChannelMessage, postMessages } from '../../../src/features/billing/post-texts.ts'
import { outdatedText } from '../../../src/slack/answers/clicks.ts'
import { channelRefusal, plainChannelRefusal } from '../../../src/slack/answers/failures.ts'
import { VIEWS } from '../../../src/slack/blocks/action-ids.ts'
import { changedNote, notInItNote } from '../../../src/slack/posting/messages.ts'
import { postModal } from '../../../src/slack/posting/modal.ts'
import { attributed } from '../../../src/slack/posting/preview.ts'
import { terms } from './billing.ts'
import { type FeatureSample, message, modal } from './sample.ts'
import { adaName, finance, nonce, support, team } from './setting.ts'

const preview = (include: Extra[], note?: string, channelName: string | undefined = 'finance') => {
  const plan: PostPlan = { channel: finance, nonce: `${nonce}-post`, include }
  return previewMessage(postOf(terms, plan), plan, { name: adaName, channelName, note }).message
}
const post = attributed(postOf(terms, { include: [] }), adaName)
const form = postModal({
  id: VIEWS.billingPost,
  title: 'Post billing',
  team,
  channel: support,
  place: { responseUrl: undefined, message: '1', actionTs: '1' },
})
const address = 'https://larkfield.slack.com/archives/C0FINANCE/p1762353130000100'

export const posts: readonly FeatureSample[] = [
  modal('Where to post', form),
  modal('Where to post, a channel that is refused', form, { channel: plainChannelRefusal('not-in') }),
  modal('Where to post, opened too long ago', form, { channel: outdatedText }),
  message('Preview', preview([])),
  message('Preview with everything', preview(['card', 'limit'])),
  message('Preview once more, the figures having changed', preview([], changedNote)),
  message('Preview for a channel that the administrator is not in', preview([], notInItNote(finance))),
  message('A channel that the person is not in', postMessages.notInIt(finance)),
  message(
    'A channel that Callboard is not in',
    postMessages.refused(channelRefusal('not-in', finance), finance),
  ),
  message(
    'A channel that takes no posts',
    postMessages.refused(channelRefusal('shared', finance), finance, { mayTryAgain: false }),
  ),
  message('The post in a channel', post.message),
  message('Posted', postMessages.posted(finance, address)),
  message('Posted, and Slack tells no address', postMessages.posted(finance, undefined)),
  message('Discarded', postMessages.discarded()),
  message('Posted before', postMessages.used(finance)),
  message('No channel', noChannelMessage('finanse')),
  message('Refused by Slack', postMessages.unsent({ kind: 'refused', code: 'restricted_action' }, finance)),
  message('Not taken just now', postMessages.unsent({ kind: 'not-now', retryAfterMs: undefined }, finance)),
  message('Perhaps posted', postMessages.unsent({ kind: 'unknown' }, finance)),
]
