import { Button } from './button.tsx'
import { Choices } from './choices.tsx'
import { ExternalSelect } from './external-select.tsx'
import type { FieldProps } from './field.ts'
import { Overflow } from './overflow.tsx'
import { Picture } from './picture.tsx'
import { asText } from './read.ts'
import { Select } from './select.tsx'
import { TextField } from './text-field.tsx'
import { Unknown } from './unknown.tsx'

/** Anything that can be clicked, chosen or filled in. */
export function Element(props: FieldProps) {
  const type = asText(props.element['type'])
  switch (type) {
    case 'button':
      return <Button element={props.element} blockId={props.blockId} />
    case 'overflow':
      return <Overflow element={props.element} blockId={props.blockId} />
    case 'image':
      return (
        <Picture
          url={asText(props.element['image_url'])}
          alt={asText(props.element['alt_text'])}
          kind="bk-thumb"
        />
      )
    case 'external_select':
    case 'multi_external_select':
      return <ExternalSelect {...props} />
    case 'radio_buttons':
    case 'checkboxes':
      return <Choices {...props} />
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
    case 'datepicker':
    case 'timepicker':
      return <TextField {...props} />
    default:
      return /_select$/.test(type) ? <Select {...props} /> : <Unknown what={`an element of type ${type}`} />
  }
}
