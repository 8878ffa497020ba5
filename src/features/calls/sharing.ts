import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { action } from '../../slack/blocks/actions.ts'
import { type Block, confirmation, isDirectConversation } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { channelRefusal } from '../../slack/deliver/failures.ts'
import type { Click } from '../../slack/inbound/payloads.ts'
import { type ActionRoute, bind, type Interaction } from '../../slack/routing/routes.ts'
import { scopedKey } from '../../store/tenant.ts'
import { countNoun } from '../../util/text.ts'
import { hourMs, type Milliseconds } from '../../util/units.ts'

export function getSharePlace({ channel, channelName, isInView }: Interaction): string | undefined {
  if (channel === '' || isInView || isDirectConversation(channel, channelName)) return undefined
  // Payloads call a private channel `privategroup`, and name none after a form.
  return channelName === '' || channelName === 'privategroup' ? 'this channel' : `#${channelName}`
}

export function shareButtons(
  share: types.Button,
  page: { noun: string; count: number; sharePlace: string | undefined },
): types.Button[] {
  const { noun, count, sharePlace } = page
  if (sharePlace === undefined) return []
  const shown = count === 1 ? `this ${noun}` : `these ${countNoun(count, noun)}`
  const consequence = `Everyone here, guests included, will see ${shown}. The audit log records who shared it.`
  const confirm = confirmation(`Share in ${sharePlace}?`, consequence, 'Share', 'Cancel')
  return [{ ...share, confirm }]
}

/** `by`: the person who shared the page. */
const shareActions = { remove: action('share.remove', z.strictObject({ by: z.string().min(1) })) }

export interface Sharer {
  readonly id: string
  readonly name: string
}

export function removeRow(user: string): Block {
  const consequence = 'This removes it for everyone here.'
  const confirm = confirmation('Remove from this channel?', consequence, 'Remove', 'Cancel')
  return { type: 'actions', elements: [{ ...shareActions.remove.button('Remove', { by: user }), confirm }] }
}

export interface SharedPage {
  readonly answer: Answer
  /** For the audit log: `15 calls`. */
  readonly what: string
}

/** Longer than a signed click can be replayed. */
const CLAIM_TTL_MS: Milliseconds = hourMs

/** Shares once per click. @param load called only if the channel accepts posts */
export async function share(
  { channels, store, audit }: Services,
  { actor, tenant, channel, channelName }: Interaction,
  { replyTo: { message, actionTs } }: Click,
  load: () => Promise<SharedPage>,
): Promise<Answer | undefined> {
  const findRefusal = async () => {
    const state = await channels.state(actor, channel, channelName)
    // A `response_url` works without an invitation, but the channel must be known not to be shared with another company.
    return state === 'ok' || state === 'not-in' ? undefined : textAnswer(channelRefusal(state, channel))
  }
  const refusal = await findRefusal()
  if (refusal) return refusal
  const { answer, what } = await load()
  // The channel may have been shared with another company while the service was read.
  const lateRefusal = await findRefusal()
  if (lateRefusal) return lateRefusal
  const click = scopedKey(tenant, channel, message, actionTs, actor.person.id)
  if (!(await store.claim('share', click, CLAIM_TTL_MS))) return undefined
  // Recorded first, so that no share is missing in the log.
  await audit.record(actor, 'share', { channel, detail: what })
  return { ...answer, isPublic: true }
}

export const sharedPageRoutes = ({ guards, responseUrls }: Services): readonly ActionRoute[] =>
  bind(shareActions, {
    remove: {
      needs: 'member',
      replacesOriginal: false,
      async handle({ interaction: { actor }, value: { by }, click }) {
        const { responseUrl } = click.replyTo
        if (by !== actor.person.id && !(await guards.may(actor, 'admin')))
          return textAnswer('Only the person who shared this, or an administrator, can remove it.')
        if (responseUrl !== undefined) await responseUrls.remove(responseUrl)
        return undefined
      },
    },
  })
