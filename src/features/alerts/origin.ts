import { z } from 'zod'
import { clickPlace } from '../../slack/answers/click-place.ts'
import type { ClickPlace } from '../../slack/answers/clicks.ts'
import { readMetadata } from '../../slack/blocks/values.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'

// Where a form comes from, in its metadata.

/** The list that a form was opened from: it shows what was saved. */
const listPlace = clickPlace.extend({ page: z.number() })
export type ListPlace = ClickPlace & { readonly page: number }

/** What a form goes on with, whatever is chosen in it. */
export const formOrigin = z.object({
  /** None: it is a new one. */
  id: z.string().max(40).optional(),
  list: listPlace.optional(),
})

/** @throws {ForgedValueError} */
export const readFormOrigin = (view: ViewPayload): z.infer<typeof formOrigin> =>
  readMetadata(view, formOrigin)

/** The list that a button is in; none: it is in no message that could show it anew. */
export const listOf = (place: ClickPlace, page: number | undefined): ListPlace | undefined =>
  place.responseUrl === undefined || page === undefined ? undefined : { ...place, page }
