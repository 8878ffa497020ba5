import { outdatedModalText, postModal } from '../../../src/features/billing/post-modal.ts'
import { type PostPlan, previewMessage } from '../../../src/features/billing/post-preview.ts'
import {
  changedNote,
  discardedMessage,
  noChannelMessage,
  notInItMessage,
  notInItNote,
  postedMessage,
  refusedMessage,
  unsentMessage,
  usedMessage,
} from '../../../src/features/billing/post-texts.ts'
import { channelRefusal, plainChannelRefusal } from '../../../src/slack/answers/channel-texts.ts'
import { billingPost, type Extra } from '../../../src/slack/blocks/billing-post.ts'
import { attribution } from '../../../src/slack/blocks/shared-blocks.ts'
import { terms } from './billing.ts'
import { type FeatureSample, message, modal } from './sample.ts'
import { adaName, finance, nonce, support, team } from './setting.ts'

const preview = (include: Extra[], note?: string, channelName: string | undefined = 'finance') => {
  const plan: PostPlan = { channel: finance, nonce: `${nonce}-post`, include }
  return previewMessage(terms, plan, { name: adaName, channelName, note })
}
const post = billingPost(terms, [])
const form = postModal(team, support, { responseUrl: undefined, message: '1', actionTs: '1' })
const address = 'https://larkfield.slack.com/archives/C0FINANCE/p1762353130000100'

export const posts: readonly FeatureSample[] = [
  modal('Where to post', form),
  modal('Where to post, a channel that is refused', form, { channel: plainChannelRefusal('not-in') }),
  modal('Where to post, opened too long ago', form, { channel: outdatedModalText }),
  message('Preview', preview([])),
  message('Preview with everything', preview(['card', 'limit'])),
  message('Preview once more, the figures having changed', preview([], changedNote)),
  message('Preview for a channel that the administrator is not in', preview([], notInItNote(finance))),
  message('A channel that the person is not in', notInItMessage(finance)),
  message('A channel that Callboard is not in', refusedMessage(channelRefusal('not-in', finance), finance)),
  message(
    'A channel that takes no posts',
    refusedMessage(channelRefusal('shared', finance), finance, { mayTryAgain: false }),
  ),
  message('The post in a channel', { ...post, blocks: [...post.blocks, attribution(adaName, 'Posted')] }),
  message('Posted', postedMessage(finance, address)),
  message('Posted, and Slack tells no address', postedMessage(finance, undefined)),
  message('Discarded', discardedMessage()),
  message('Posted before', usedMessage(finance)),
  message('No channel', noChannelMessage('finanse')),
  message('Refused by Slack', unsentMessage({ kind: 'refused', code: 'restricted_action' }, finance)),
  message('Not taken just now', unsentMessage({ kind: 'not-now', retryAfterMs: undefined }, finance)),
  message('Perhaps posted', unsentMessage({ kind: 'unknown' }, finance)),
]
