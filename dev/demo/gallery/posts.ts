import { type PostPlan, previewMessage } from '../../../src/features/billing/post-preview.ts'
import {
  cancelledText,
  changedNote,
  noChannelText,
  notInItNote,
  notInItText,
  postedText,
  unsentText,
  usedText,
} from '../../../src/features/billing/post-routes.ts'
import { billingPost, type Extra } from '../../../src/slack/blocks/billing-post.ts'
import { attribution } from '../../../src/slack/blocks/shared-blocks.ts'
import { terms } from './billing.ts'
import { type FeatureSample, message, text } from './sample.ts'
import { adaName, finance, nonce } from './setting.ts'

const preview = (include: Extra[], note?: string) => {
  const plan: PostPlan = { channel: finance, nonce: `${nonce}-post`, include }
  return previewMessage(terms, plan, adaName, note)
}
const post = billingPost(terms, [])

export const posts: readonly FeatureSample[] = [
  message('Preview', preview([])),
  message('Preview with everything', preview(['card', 'limit'])),
  message('Preview once more, the figures having changed', preview([], changedNote)),
  message('Preview for a channel that the admin is not in', preview([], notInItNote(finance))),
  text('A channel that the person is not in', notInItText(finance)),
  message('The post in a channel', { ...post, blocks: [...post.blocks, attribution(adaName, 'Posted')] }),
  text('Posted', postedText(finance)),
  text('Cancelled', cancelledText),
  text('Posted before', usedText(finance)),
  text('No channel', noChannelText('finanse')),
  text('Refused by Slack', unsentText({ kind: 'refused', code: 'restricted_action' }, finance)),
  text('Not taken just now', unsentText({ kind: 'not-now', retryAfterMs: undefined }, finance)),
  text('Perhaps posted', unsentText({ kind: 'unknown' }, finance)),
]
