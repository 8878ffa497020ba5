import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import type { Person } from '../../slack/access/people.ts'
import { postMessage } from '../../slack/api/messages.ts'
import { action } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { channelRefusal, unconfirmedShareText, unsentText } from '../../slack/deliver/failures.ts'
import type { Click } from '../../slack/inbound/payloads.ts'
import { type ActionRoute, bind, type Interaction } from '../../slack/routing/routes.ts'
import { scopedKey } from '../../store/tenant.ts'
import { hourMs, type Milliseconds } from '../../util/units.ts'

/** Returns undefined where nothing can be shared. */
export function getShareLabel({ channel, channelName, isInView }: Interaction): string | undefined {
  if (channel === '' || isInView || blocks.isDirectConversation(channel, channelName)) return undefined
  // Payloads call a private channel `privategroup`, and don't name the channel of a submitted form.
  if (channelName === '' || channelName === 'privategroup') return 'this channel'
  return `#${channelName}`
}

export function shareButtons(share: types.Button, shareLabel: string | undefined): types.Button[] {
  if (shareLabel === undefined) return []
  const consequence = 'Everyone here, guests included, will see this. The audit log records who shared it.'
  const confirm = blocks.confirmation(`Share in ${shareLabel}?`, consequence, 'Share')
  return [{ ...share, confirm }]
}

/** `by` is the id of the person who shared the page. */
const shareActions = { remove: action('share.remove', z.strictObject({ by: z.string().min(1) })) }

export type Sharer = Pick<Person, 'id' | 'name'>

/** Shown below a page that everyone sees: who shared it, and a button to remove it. */
export function sharedFooter({ id, name }: Sharer): readonly blocks.Block[] {
  const consequence = 'This removes it for everyone here.'
  const confirm = blocks.confirmation('Remove from this channel?', consequence, 'Remove')
  const remove = { ...shareActions.remove.button('Remove', { by: id }), confirm }
  return [blocks.attribution(name, 'Shared'), ...blocks.actionRow([remove])]
}

export interface SharedPage {
  readonly answer: Answer
  /** For the audit log: `15 calls`. */
  readonly what: string
  /** Message whose thread it is posted in. */
  readonly thread?: string | undefined
}

/** Longer than a signed click can be replayed. */
const CLAIM_TTL_MS: Milliseconds = hourMs

/**
 * Posts once per click. The app posts as a member, under the channel's posting rules, which a `response_url` would get around.
 * @returns what to say, unless the page was posted, now or by an earlier click
 */
export async function share(
  { channels, store, audit, delivery, backgroundWebApi }: Services,
  { actor, tenant, channel, channelName }: Interaction,
  { replyTo }: Click,
  load: () => Promise<SharedPage>,
): Promise<Answer | undefined> {
  const { answer, what, thread } = await load()
  // Checked last: the channel may have been shared with another company while the service was read.
  const channelState = await channels.getState(actor, channel, channelName)
  if (channelState !== 'ok') return textAnswer(channelRefusal(channelState, channel))
  const clickKey = scopedKey(tenant, channel, replyTo.message, replyTo.actionTs, actor.person.id)
  const isFirst = await store.claim('share', clickKey, CLAIM_TTL_MS)
  if (!isFirst) return undefined
  // Recorded first, so that no share is missing in the log.
  await audit.record(actor, `shared ${what}`, { channel })
  const { botToken } = actor.installation
  const reply = thread === undefined ? undefined : { ts: thread, isBroadcast: false }
  const result = await delivery.send(answer, actor.workspace, ({ message }) =>
    postMessage(backgroundWebApi, botToken, channel, message, reply),
  )
  if (result.kind === 'sent') return undefined
  if (result.kind === 'unknown') return textAnswer(unconfirmedShareText)
  return textAnswer(unsentText(result))
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
