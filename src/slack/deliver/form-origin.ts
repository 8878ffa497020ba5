import { z } from 'zod'
import { readMetadata } from '../blocks/values.ts'
import type { ViewPayload } from '../inbound/payloads.ts'
import type { Answer } from './answer.ts'
import { type ClickPlace, clickPlace } from './clicks.ts'

// Where a form for something that a list shows comes from, in its metadata.

/** The list that a form was opened from: it shows what was saved. */
const listPlace = clickPlace.extend({ page: z.number() })
export type ListPlace = ClickPlace & { readonly page: number }

/** What a form goes on with, whatever is chosen in it. */
export const formOrigin = z.object({
  /** Of what is changed; none: it is a new one. */
  id: z.string().max(40).optional(),
  list: listPlace.optional(),
})
export type FormOrigin = z.infer<typeof formOrigin>

/** @throws {ForgedValueError} */
export const readFormOrigin = (view: ViewPayload): FormOrigin => readMetadata(view, formOrigin)

/** The list that a button is in; none: it is in no message that could show it anew. */
export const listOf = (place: ClickPlace, page: number | undefined): ListPlace | undefined =>
  place.responseUrl === undefined || page === undefined ? undefined : { ...place, page }

/** The list that a form was opened from, as it is by now. */
export const listAgain = (list: ListPlace | undefined, show: (page: number) => Promise<Answer | undefined>) =>
  list && { place: list, answer: () => show(list.page) }
