import { isPersonId } from '../../slack/blocks/blocks.ts'
import { channelField, choice, joinHint } from '../../slack/forms/fields.ts'
import type { Errors } from '../../slack/forms/form.ts'

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

interface PlaceValues {
  readonly where: 'channel' | 'direct'
  readonly channel?: string | undefined
}

/** Returns the channel, the person's own id for direct messages, or an error. */
export function readPlace(
  { where, channel }: PlaceValues,
  person: string,
): { readonly place: string } | { readonly errors: Errors } {
  if (where === 'direct') return { place: person }
  return channel === undefined ? { errors: { channel: 'Choose a channel.' } } : { place: channel }
}
