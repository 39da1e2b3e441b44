// The snippets of docs/guide/typescript.md.
import { mediaType, type Named, t } from 'edict'

// #region named
const remark = mediaType('Remark', {
  attributes: {
    text: t.string({ required: true }),
    get answers() {
      return t.array(Remark)
    },
  },
})
export interface Remark extends Named<typeof remark> {}
export const Remark: Remark = remark
// #endregion
