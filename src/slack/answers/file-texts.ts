import type { FileRefusal } from '../api/files.ts'
import { escapeText } from '../blocks/blocks.ts'

/** Why Slack takes no file from Callboard, with what to do. mrkdwn. @param installUrl where the app can be installed anew; none with one workspace's token */
export function fileRefusal(code: FileRefusal, installUrl: string | undefined): string {
  switch (code) {
    case 'missing_scope': {
      const anew =
        installUrl === undefined
          ? 'Whoever runs Callboard has to install it in this workspace again.'
          : `<${escapeText(installUrl)}|Install it again> to give it.`
      return `Callboard is missing the permission to send files: it was installed before it had any to send. ${anew}`
    }
    case 'file_uploads_disabled':
    case 'file_uploads_except_images_disabled':
      return "This workspace doesn't allow files to be uploaded, so there is no way to send it. An owner of the workspace can allow it in Slack's settings."
    case 'file_type_not_allowed':
      return "This workspace doesn't allow CSV files, so there is no way to send it. An owner of the workspace can allow them in Slack's settings."
    case 'file_upload_size_restricted':
      return 'This workspace allows no files of this size, so there is no way to send it.'
  }
}
