import { isPersonId } from '../../slack/blocks/blocks.ts'
import { channelField, choice, type Errors, joinHint } from '../../slack/forms/form.ts'

/** Builds the inputs for the conversation. The channel may stay empty for direct messages: the form never redraws. */
export function placeFields(channel: string) {
  const isDirect = channel === '' || isPersonId(channel)
  return {
    where: choice(
      'Where',
      { channel: 'In a channel', direct: 'In direct messages to you' },
      isDirect ? 'direct' : 'channel',
    ),
    channel: channelField(isDirect ? '' : channel, { hint: joinHint }).optional(),
  }
}

/** The person who submits the form, and the channel with which it was opened. */
export interface FormAuthor {
  readonly person: string
  readonly preselected: string
}

/**
 * Returns the channel, the person's own id for direct messages, or an error. A newly chosen channel wins over direct messages,
 * which are preselected where no channel is.
 */
export function readPlace(
  { where, channel }: { readonly where: 'channel' | 'direct'; readonly channel?: string | undefined },
  { person, preselected }: FormAuthor,
): { readonly place: string } | { readonly errors: Errors } {
  if (where === 'direct' && (channel === undefined || channel === preselected)) return { place: person }
  return channel === undefined ? { errors: { channel: 'Choose a channel.' } } : { place: channel }
}
