import { useBlockContext } from './block-context.ts'
import { withCharacters } from './emoji.tsx'
import { asValue, type FieldProps, optionsOf, useField } from './field.ts'
import { asText, textOf } from './read.ts'

interface Entry {
  readonly value: string
  readonly text: string
}

/** What can be chosen: an element's own options, or the workspace's people or channels. */
function useEntries({ element }: FieldProps): readonly Entry[] {
  const { directory } = useBlockContext()
  const type = asText(element['type']).replace(/^multi_/, '')
  const named = ({ id, name }: { readonly id: string; readonly name: string }, sign: string) => ({
    value: id,
    text: `${sign}${name}`,
  })
  if (type === 'users_select') return directory.people.map((person) => named(person, '@'))
  if (type === 'conversations_select' || type === 'channels_select') {
    return directory.channels.map((channel) => named(channel, '#'))
  }
  return optionsOf(element).map(({ text, value }) => ({
    value: value ?? '',
    text: withCharacters(text.text),
  }))
}

export function Select(props: FieldProps) {
  const { element } = props
  const { value, change, attributes } = useField(props)
  const entries = useEntries(props)
  const isMulti = asText(element['type']).startsWith('multi_')
  const chosen = Array.isArray(value) ? value : [asValue(value)]
  const placeholder = textOf(element['placeholder']) || 'Choose…'
  return (
    <select
      {...attributes}
      class="bk-field"
      multiple={isMulti}
      onChange={({ currentTarget }) => {
        const picked = [...currentTarget.selectedOptions].map((option) => option.value)
        change(isMulti ? picked : (picked[0] ?? '') || null)
      }}
    >
      {!isMulti && (
        <option value="" selected={chosen[0] === ''}>
          {placeholder}
        </option>
      )}
      {entries.map((entry) => (
        <option key={entry.value} value={entry.value} selected={chosen.includes(entry.value)}>
          {entry.text}
        </option>
      ))}
    </select>
  )
}
