import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import { type ClickPlace, clickPlace } from '../answers/clicks.ts'
import { section } from '../blocks/blocks.ts'
import { channelSelect } from '../blocks/form-inputs.ts'
import { input, modal } from '../blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../blocks/values.ts'
import { readForm, type ViewPayload } from '../inbound/payloads.ts'

/** The message that the modal was opened from, where the preview goes, and what is to be posted. */
const metadata = clickPlace.extend({ value: z.string().optional() })

/** Asks for the channel of a post. Pure. */
export const postModal = (options: {
  /** The view's callback id. */
  readonly id: string
  readonly title: string
  readonly team: Tenant
  /** Chosen to begin with; empty: none is. */
  readonly channel: string
  readonly place: ClickPlace
  /** What is to be posted, for `readPost`. */
  readonly value?: string | undefined
}): types.ModalView => {
  const { id, title, team, channel, place, value } = options
  return modal({
    id,
    metadata: writeOrigin(team, channel, { ...clickPlace.parse(place), value }),
    title,
    submit: 'Preview',
    blocks: [
      section('You see a preview first. Nothing is posted until you confirm it.'),
      input('channel', 'Channel', channelSelect('channel', channel), {
        hint: 'Callboard has to be in it. To add it there: /invite @Callboard',
      }),
    ],
  })
}

/** What was chosen in the modal. @throws {ForgedValueError} */
export function readPost(view: ViewPayload): {
  readonly place: ClickPlace
  readonly channel: string
  readonly value: string | undefined
} {
  const { value, ...place } = readMetadata(view, metadata)
  const { channel } = readForm(view, z.object({ channel: z.string().regex(/^[A-Z0-9]{2,40}$/) }))
  return { place, channel, value }
}
