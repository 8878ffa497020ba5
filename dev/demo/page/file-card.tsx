import type { ShownFile } from '../api-types.ts'

const size = new Intl.NumberFormat('en-GB', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 })

/** A file under a message. */
export function FileCard({ file: { id, name, bytes } }: { readonly file: ShownFile }) {
  return (
    <a class="file" href={`/files/${id}`} download={name}>
      <strong>{name}</strong>
      <span>{size.format(bytes / 1000)}</span>
    </a>
  )
}
