import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../../services.ts'
import { NotAllowedError } from '../../../slack/access/access-rules.ts'
import { modalWithMetadata } from '../../../slack/blocks/modal.ts'
import { readMetadata } from '../../../slack/blocks/view-metadata.ts'
import { messageModal } from '../../../slack/deliver/modals.ts'
import { people } from '../../../slack/forms/fields.ts'
import { Form } from '../../../slack/forms/form.ts'
import type { Interaction, SubmissionRequest, SubmissionResult } from '../../../slack/routing/routes.ts'
import { type AlertMenuValue, alertMenuSchema } from '../actions.ts'
import type { Assignee } from './changes.ts'

const TITLE = 'Assign missed calls'
export const ASSIGN_ID = 'alert.assign'

/** Metadata has other fields, too. */
const assignMetadataSchema = z.object(alertMenuSchema.shape)

const assignForm = new Form({
  person: people('Who calls back?', [], {
    hint: 'They see it in the message, in /calls open and on Home.',
  }).checked((ids) => (ids.length === 1 ? undefined : 'Choose one person.')),
})

export const assignModal = ({ actor, channel }: Interaction, value: AlertMenuValue): types.ModalView =>
  modalWithMetadata(assignMetadataSchema, {
    id: ASSIGN_ID,
    origin: { workspace: actor.workspace, channel },
    metadata: value,
    title: TITLE,
    submit: 'Assign',
    blocks: assignForm.inputs(),
  })

/** @param assign returns what to tell the person, as mrkdwn; undefined if the message shows everything */
export async function submitAssignment(
  { guards }: Pick<Services, 'guards'>,
  { interaction: { actor }, view }: SubmissionRequest,
  assign: (to: Assignee, value: AlertMenuValue) => Promise<string | undefined>,
): Promise<SubmissionResult> {
  const { values, errors } = assignForm.read(view)
  if (!values) return { errors }
  const [chosen = ''] = values.person
  try {
    const { person } = await guards.admit(actor.workspace, chosen, 'calls')
    const to = { person: person.id, name: person.name }
    const problem = await assign(to, readMetadata(view, assignMetadataSchema))
    return { view: messageModal(problem ?? 'Assigned.', { title: TITLE }) }
  } catch (error) {
    if (!(error instanceof NotAllowedError)) throw error
    return { errors: { person: "They can't see calls. Choose someone else, or ask an administrator." } }
  }
}
