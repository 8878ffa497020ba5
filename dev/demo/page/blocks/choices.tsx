import { PlainText } from './emoji.tsx'
import { asValue, type FieldProps, optionsOf, useField } from './field.ts'
import { asText } from './read.ts'

/** Radio buttons, or checkboxes. */
export function Choices(props: FieldProps) {
  const { value, change, id, attributes } = useField(props)
  const isMulti = asText(props.element['type']) === 'checkboxes'
  const chosen = Array.isArray(value) ? value : [asValue(value)].filter((one) => one !== '')
  const { id: _own, ...described } = attributes
  return (
    <div class="bk-choices" {...described} role={isMulti ? 'group' : 'radiogroup'} id={id}>
      {optionsOf(props.element).map(({ text, value: own = '' }) => (
        <label key={own}>
          <input
            type={isMulti ? 'checkbox' : 'radio'}
            name={id}
            checked={chosen.includes(own)}
            onChange={() =>
              change(
                isMulti
                  ? chosen.includes(own)
                    ? chosen.filter((one) => one !== own)
                    : [...chosen, own]
                  : own,
              )
            }
          />
          <PlainText text={text.text} />
        </label>
      ))}
    </div>
  )
}
