"""Workbooks as spreadsheets write them."""

from io import BytesIO

from openpyxl import Workbook


def write_workbook(sheets):
    """The content of a workbook with these sheets, each a list of rows."""
    workbook = Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    content = BytesIO()
    workbook.save(content)
    return content.getvalue()
